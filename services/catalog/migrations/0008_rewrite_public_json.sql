-- outside a transaction
-- Writes the public JSON of all tools again, in parts, so that no edit waits for all of them.
UPDATE tools SET public_json = NULL WHERE removed_at IS NULL AND hashtext(id::text) & 15 = 0;
UPDATE tools SET public_json = NULL WHERE removed_at IS NULL AND hashtext(id::text) & 15 = 1;
UPDATE tools SET public_json = NULL WHERE removed_at IS NULL AND hashtext(id::text) & 15 = 2;
UPDATE tools SET public_json = NULL WHERE removed_at IS NULL AND hashtext(id::text) & 15 = 3;
UPDATE tools SET public_json = NULL WHERE removed_at IS NULL AND hashtext(id::text) & 15 = 4;
UPDATE tools SET public_json = NULL WHERE removed_at IS NULL AND hashtext(id::text) & 15 = 5;
UPDATE tools SET public_json = NULL WHERE removed_at IS NULL AND hashtext(id::text) & 15 = 6;
UPDATE tools SET public_json = NULL WHERE removed_at IS NULL AND hashtext(id::text) & 15 = 7;
UPDATE tools SET public_json = NULL WHERE removed_at IS NULL AND hashtext(id::text) & 15 = 8;
UPDATE tools SET public_json = NULL WHERE removed_at IS NULL AND hashtext(id::text) & 15 = 9;
UPDATE tools SET public_json = NULL WHERE removed_at IS NULL AND hashtext(id::text) & 15 = 10;
UPDATE tools SET public_json = NULL WHERE removed_at IS NULL AND hashtext(id::text) & 15 = 11;
UPDATE tools SET public_json = NULL WHERE removed_at IS NULL AND hashtext(id::text) & 15 = 12;
UPDATE tools SET public_json = NULL WHERE removed_at IS NULL AND hashtext(id::text) & 15 = 13;
UPDATE tools SET public_json = NULL WHERE removed_at IS NULL AND hashtext(id::text) & 15 = 14;
UPDATE tools SET public_json = NULL WHERE removed_at IS NULL AND hashtext(id::text) & 15 = 15;
