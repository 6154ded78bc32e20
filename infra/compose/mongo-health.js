// Compose runs this until MongoDB is ready. The first run creates the replica set.
if (!db.hello().setName) {
  db.getSiblingDB('admin').auth('root', process.env.MONGO_INITDB_ROOT_PASSWORD);
  rs.initiate({ _id: 'lendtools', members: [{ _id: 0, host: 'mongo:27017' }] });
}
// Logs in as the last user that mongo-init.js creates. If a kill prevented that user, the image never creates it.
db.getSiblingDB('notifications').auth('notifications', process.env.NOTIFICATIONS_DB_PASSWORD);
quit(db.hello().isWritablePrimary ? 0 : 1);
