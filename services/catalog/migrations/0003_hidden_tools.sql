-- Why LendTools hid the tool, as of the event with this version; null while it is not hidden.
ALTER TABLE tools ADD COLUMN hidden_reason text, ADD COLUMN hidden_version integer NOT NULL DEFAULT 0;

-- A hidden tool stays Unavailable, whatever its owner or its bookings change, so it is not on offer.
CREATE FUNCTION hide_tool() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.status := 'Unavailable';
  RETURN NEW;
END $$;
CREATE TRIGGER hide_tool BEFORE INSERT OR UPDATE ON tools
  FOR EACH ROW WHEN (NEW.hidden_reason IS NOT NULL) EXECUTE FUNCTION hide_tool();
