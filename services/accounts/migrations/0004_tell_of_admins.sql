-- Notifications starts to email admins, but it received their roles before it stored roles: publish the admins again.
WITH admins AS (
  UPDATE users SET version = version + 1 WHERE role = 'Admin' RETURNING *
), events AS (
  SELECT admins.*, gen_random_uuid() AS event_id, 'AccountUpdated' AS type, jsonb_build_object(
    'userId', id, 'role', role, 'firstName', first_name, 'lastName', last_name, 'email', email, 'image', image,
    'country', country, 'state', state, 'city', city, 'address', address, 'lat', lat, 'lng', lng,
    'timeZone', time_zone) AS data
  FROM admins
  UNION ALL
  SELECT admins.*, gen_random_uuid(), 'AccountDisabled', jsonb_build_object('userId', id, 'disabled', true)
  FROM admins WHERE disabled_at IS NOT NULL
)
INSERT INTO outbox_messages (id, type, aggregate_id, version, envelope)
SELECT event_id, type, id::text, version, jsonb_build_object(
  'id', event_id, 'type', type, 'occurredAt', to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
  'aggregateId', id, 'version', version, 'correlationId', event_id, 'causationId', NULL, 'traceparent', NULL,
  'data', data)
FROM events;
