terraform import accessgateway_webhook.chat 51c3a1de-90f5-4a6f-bd57-2f1d9f3f0c21
