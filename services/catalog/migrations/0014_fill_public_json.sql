-- outside a transaction: fills 500 tools at a time, on a table in use.
CALL fill_public_json();
