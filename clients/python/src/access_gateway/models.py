"""Bodies and answers of all operations, under the names of openapi.json."""

from .generated.models import *
