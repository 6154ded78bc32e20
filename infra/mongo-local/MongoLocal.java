import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.MongoVersion;
import de.bwaldvogel.mongo.backend.QueryResult;
import de.bwaldvogel.mongo.backend.h2.H2Backend;
import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.wire.message.MongoMessage;
import de.bwaldvogel.mongo.wire.message.MongoQuery;
import io.netty.channel.Channel;
import java.util.List;
import java.util.Set;
import org.h2.mvstore.MVStore;

/**
 * A durable stand-in for mongod, for machines that can have no real one: mongo-java-server over an
 * H2 store. Run as `java -cp 'lib/*' MongoLocal.java <data file> <port>`.
 */
public class MongoLocal {

    public static void main(String[] args) {
        MVStore store = new MVStore.Builder().fileName(args[0]).autoCommitDisabled().open();
        store.setVersionsToKeep(0);
        // A commit writes its pages anew, and by default the old ones' room is kept for 45 s against a loss of power:
        // 160 MB for 4,500 writes; this way 50. A kill needs none of it.
        store.setRetentionTime(1_000);
        DurableBackend backend = new DurableBackend(store);
        backend.version(new DriverAcceptedVersion());
        MongoServer server = new MongoServer(backend);
        server.bind("127.0.0.1", Integer.parseInt(args[1]));
        Runtime.getRuntime().addShutdownHook(new Thread(server::shutdownNow));
    }

    /**
     * A write is committed to the file before it is answered, so that an acknowledged one survives
     * a kill. One command at a time, because two commands that create the same collection at once
     * make the library fail.
     */
    static class DurableBackend extends H2Backend {

        private static final Set<String> READS = Set.of(
                "find", "count", "aggregate", "distinct", "getmore", "killcursors", "endsessions",
                "hello", "ismaster", "ping", "buildinfo", "listcollections", "listindexes",
                "listdatabases", "serverstatus", "connectionstatus", "whatsmyuri", "hostinfo",
                "getlog", "dbstats", "collstats", "getparameter");

        private final MVStore store;

        DurableBackend(MVStore store) {
            super(store);
            this.store = store;
        }

        @Override
        public synchronized Document handleMessage(MongoMessage message) {
            try {
                return super.handleMessage(message);
            } finally {
                commitUnlessRead(message.getDocument().keySet().iterator().next());
            }
        }

        @Override
        public synchronized Document handleCommand(
                Channel channel, String database, String command, Document query) {
            try {
                return super.handleCommand(channel, database, command, query);
            } finally {
                commitUnlessRead(command);
            }
        }

        @Override
        public synchronized QueryResult handleQuery(MongoQuery query) {
            return super.handleQuery(query);
        }

        private void commitUnlessRead(String command) {
            if (!READS.contains(command.toLowerCase())) store.commit();
        }
    }

    /** What the library can do is about MongoDB 5, but current drivers refuse its wire version 8. */
    static class DriverAcceptedVersion implements MongoVersion {

        @Override
        public List<Integer> getVersionArray() {
            return List.of(7, 0, 0);
        }

        @Override
        public int getWireVersion() {
            return 21;
        }
    }
}
