// The mongo image runs this once, on an empty data folder. Each service gets a user for its own database only.
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
