-- A return confirmed by mistake can be undone and confirmed again; the higher event version wins. A replica of the
-- previous version records a return without a version, which counts as the earliest.
ALTER TABLE tool_bookings ADD COLUMN IF NOT EXISTS return_version integer, ADD COLUMN IF NOT EXISTS return_undone_version integer;
