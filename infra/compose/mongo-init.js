// Run once by the mongo image on an empty data folder. Creates a user per service with access only to its own
// database. mongo-health.js authenticates as the last one.
for (const [name, password] of [
  ['messaging', process.env.MESSAGING_DB_PASSWORD],
  ['notifications', process.env.NOTIFICATIONS_DB_PASSWORD],
]) {
  db.getSiblingDB(name).createUser({
    user: name,
    pwd: password,
    roles: [{ role: 'readWrite', db: name }],
  });
}
