import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.MongoVersion;
import de.bwaldvogel.mongo.backend.QueryResult;
import de.bwaldvogel.mongo.backend.h2.H2Backend;
import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.wire.message.MongoQuery;
import io.netty.channel.Channel;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
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
     * A write is in the file before it is answered, so that an acknowledged one survives a kill. One commit
     * serves all who have written since the one before, and it begins between two writes, so that the file
     * never holds half of one. One command at a time, because two that create the same collection at once make the
     * library fail; reads do not wait for a commit.
     */
    static class DurableBackend extends H2Backend {

        private static final Set<String> READS = Set.of(
                "find", "count", "aggregate", "distinct", "getmore", "killcursors", "endsessions",
                "hello", "ismaster", "ping", "buildinfo", "listcollections", "listindexes",
                "listdatabases", "serverstatus", "connectionstatus", "whatsmyuri", "hostinfo",
                "getlog", "dbstats", "collstats", "getparameter");

        private final MVStore store;
        /** Held by a write and by a commit. In turn, so that a commit serves those who waited for the last one. */
        private final ReentrantLock writing = new ReentrantLock(true);
        private final Object committing = new Object();
        /** How many writes there were; guarded by `writing`. */
        private long written;
        /** As many of them are in the file; guarded by `committing`. */
        private long committed;

        DurableBackend(MVStore store) {
            super(store);
            this.store = store;
        }

        @Override
        public Document handleCommand(Channel channel, String database, String command, Document query) {
            return run(command, () -> super.handleCommand(channel, database, command, query));
        }

        @Override
        public synchronized QueryResult handleQuery(MongoQuery query) {
            return super.handleQuery(query);
        }

        private Document run(String command, Supplier<Document> work) {
            if (READS.contains(command.toLowerCase())) return runAlone(work);
            writing.lock();
            long mine = ++written;
            try {
                return runAlone(work);
            } finally {
                writing.unlock();
                // Also after an error: of a command that writes several, the first ones may be done.
                commitUpTo(mine);
            }
        }

        private synchronized Document runAlone(Supplier<Document> work) {
            return work.get();
        }

        private void commitUpTo(long mine) {
            synchronized (committing) {
                if (committed >= mine) return;
                writing.lock();
                try {
                    store.commit();
                    committed = written;
                } finally {
                    writing.unlock();
                }
            }
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
