// Run once by the mongo image, on an empty data folder: a user for each service, with rights on its
// own database alone. mongo-health.js asks as the last of them.
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
