"""Generated from openapi.json by openapi-python-client: npm run generate -- clients."""
