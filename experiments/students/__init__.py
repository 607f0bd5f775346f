"""Does the coach teach? Model students with planted mistakes; no person was tried."""
