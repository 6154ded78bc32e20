-- Notifications starts to require a verified email for emails with user-written text: publish the emails that are
-- already verified.
WITH verified AS (
  UPDATE users SET version = version + 1 WHERE email_verified_at IS NOT NULL RETURNING *
), events AS (
  SELECT verified.*, gen_random_uuid() AS event_id, jsonb_build_object(
    'userId', id, 'role', role, 'firstName', first_name, 'lastName', last_name, 'email', email, 'image', image,
    'country', country, 'state', state, 'city', city, 'address', address, 'lat', lat, 'lng', lng,
    'placeAccuracy', place_accuracy, 'timeZone', time_zone, 'emailVerified', true) AS data
  FROM verified
)
INSERT INTO outbox_messages (id, type, aggregate_id, version, envelope)
SELECT event_id, 'AccountUpdated', id::text, version, jsonb_build_object(
  'id', event_id, 'type', 'AccountUpdated',
  'occurredAt', to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
  'aggregateId', id, 'version', version, 'correlationId', event_id, 'causationId', NULL, 'traceparent', NULL,
  'data', data)
FROM events;
