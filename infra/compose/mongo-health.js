// Checks whether MongoDB is ready; called until it is. The first call creates the replica set.
if (!db.hello().setName) {
  db.getSiblingDB('admin').auth('root', process.env.MONGO_INITDB_ROOT_PASSWORD);
  rs.initiate({ _id: 'lendtools', members: [{ _id: 0, host: 'mongo:27017' }] });
}
// Checks the last user that mongo-init.js creates: after a kill before that, the image would never create the rest.
db.getSiblingDB('notifications').auth('notifications', process.env.NOTIFICATIONS_DB_PASSWORD);
quit(db.hello().isWritablePrimary ? 0 : 1);
