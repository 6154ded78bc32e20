// Whether MongoDB is ready, asked until it is. The first time it makes the replica set.
if (!db.hello().setName) {
  db.getSiblingDB('admin').auth('root', process.env.MONGO_INITDB_ROOT_PASSWORD);
  rs.initiate({ _id: 'lendtools', members: [{ _id: 0, host: 'mongo:27017' }] });
}
// The last user that mongo-init.js makes: killed before that, the image would never make the rest.
db.getSiblingDB('notifications').auth('notifications', process.env.NOTIFICATIONS_DB_PASSWORD);
quit(db.hello().isWritablePrimary ? 0 : 1);
