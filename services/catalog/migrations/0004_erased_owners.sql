-- Nobody lists a removed tool, and its copy of the owner's name would outlive the owner's account.
CREATE OR REPLACE FUNCTION write_public_json() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.public_json := CASE WHEN NEW.removed_at IS NULL THEN
    (SELECT tool_json(NEW, o, false) FROM owners o WHERE o.id = NEW.owner_id) END;
  RETURN NEW;
END $$;
