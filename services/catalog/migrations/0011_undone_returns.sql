-- A return that was confirmed by mistake is taken back, and may be confirmed again: the events' versions say which of them is
-- the last. A replica of the version before this one notes a return without its version, which counts as the earliest.
ALTER TABLE tool_bookings ADD COLUMN IF NOT EXISTS return_version integer, ADD COLUMN IF NOT EXISTS return_undone_version integer;
