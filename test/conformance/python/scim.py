"""Lets scim2-tester check the SCIM service provider at a URL, with the token in TOKEN, and prints what it found as JSON."""

import json
import os
import random
import sys

from httpx2 import Client
from scim2_client.engines.httpx2 import SyncSCIMClient
from scim2_tester import check_server

url, seed = sys.argv[1:]
# The tester draws booleans and kinds of addresses: each run of a seed sends the same.
random.seed(int(seed))
http = Client(base_url=url, headers={"Authorization": f"Bearer {os.environ['TOKEN']}"}, timeout=60)
results = check_server(SyncSCIMClient(http))
print(
    json.dumps(
        [
            {
                "check": result.title,
                "resource": result.resource_type,
                "status": result.status.name,
                "reason": result.reason,
            }
            for result in results
        ]
    )
)
