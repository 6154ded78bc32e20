-- A removed tool is never listed, so it needs no public_json, which would keep the owner's name after the account is deleted.
CREATE OR REPLACE FUNCTION write_public_json() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.public_json := CASE WHEN NEW.removed_at IS NULL THEN
    (SELECT tool_json(NEW, o, false) FROM owners o WHERE o.id = NEW.owner_id) END;
  RETURN NEW;
END $$;
