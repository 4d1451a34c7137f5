__version__ = "1.180.0"
