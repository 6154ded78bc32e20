import de.bwaldvogel.mongo.MongoCollection;
import de.bwaldvogel.mongo.MongoDatabase;
import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.MongoVersion;
import de.bwaldvogel.mongo.backend.CollectionOptions;
import de.bwaldvogel.mongo.backend.EmptyIndex;
import de.bwaldvogel.mongo.backend.Index;
import de.bwaldvogel.mongo.backend.IndexKey;
import de.bwaldvogel.mongo.backend.Missing;
import de.bwaldvogel.mongo.backend.QueryResult;
import de.bwaldvogel.mongo.backend.Utils;
import de.bwaldvogel.mongo.backend.ValueComparator;
import de.bwaldvogel.mongo.backend.h2.H2Backend;
import de.bwaldvogel.mongo.backend.h2.H2Collection;
import de.bwaldvogel.mongo.backend.h2.H2Database;
import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.wire.message.MongoQuery;
import io.netty.channel.Channel;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;

/** A durable stand-in for mongod: mongo-java-server on an H2 store. `java -cp 'lib/*' MongoLocal.java <data file> <port>` */
public class MongoLocal {

    public static void main(String[] args) {
        MVStore store = new MVStore.Builder().fileName(args[0]).autoCommitDisabled().open();
        store.setVersionsToKeep(0);
        // By default H2 keeps rewritten pages for 45 s in case of a power failure, which triples the size of the file.
        store.setRetentionTime(1_000);
        DurableBackend backend = new DurableBackend(store);
        backend.version(new DriverAcceptedVersion());
        MongoServer server = new MongoServer(backend);
        server.bind("127.0.0.1", Integer.parseInt(args[1]));
        Runtime.getRuntime().addShutdownHook(new Thread(server::shutdownNow));
    }

    /**
     * Acknowledges a write once it is committed to the file, so that it survives a kill. One commit serves all waiting
     * writes, and runs between two writes. Each database runs one command at a time, because the library fails when
     * two commands create the same collection. Reads don't wait for commits.
     */
    static class DurableBackend extends H2Backend {

        private static final Set<String> READS = Set.of(
                "find", "count", "aggregate", "distinct", "getmore", "killcursors", "endsessions",
                "hello", "ismaster", "ping", "buildinfo", "listcollections", "listindexes",
                "listdatabases", "serverstatus", "connectionstatus", "whatsmyuri", "hostinfo",
                "getlog", "dbstats", "collstats", "getparameter");

        private final MVStore store;
        /** The lock is fair, so that a commit serves all writers that waited for the previous commit. */
        private final ReentrantLock writing = new ReentrantLock(true);
        private final Object committing = new Object();
        private final Map<String, Object> databases = new ConcurrentHashMap<>();
        /** Number of writes; guarded by `writing`. */
        private long written;
        /** Number of writes that are in the file; guarded by `committing`. */
        private long committed;

        DurableBackend(MVStore store) {
            super(store);
            this.store = store;
        }

        @Override
        protected MongoDatabase openOrCreateDatabase(String name) {
            return new IndexedDatabase(name);
        }

        private class IndexedDatabase extends H2Database {

            IndexedDatabase(String name) {
                super(name, getMvStore(), getCursorRegistry());
            }

            @Override
            protected Index<Object> openOrCreateSecondaryIndex(String collection, String name, List<IndexKey> keys, boolean sparse) {
                return new FirstFieldIndex(name, keys);
            }

            /** Looks documents up by id. The library itself scans all documents if a query has more than an id. */
            @Override
            protected MongoCollection<Object> openOrCreateCollection(String name, CollectionOptions options) {
                String fullName = getFullCollectionNamespace(name);
                MVMap<Object, Document> documents = getMvStore().openMap("databases." + fullName);
                MVMap<String, Object> meta = getMvStore().openMap("meta." + fullName);
                return new H2Collection(this, name, options, documents, meta, cursorRegistry) {
                    @Override
                    protected QueryResult queryDocuments(
                            Document query, Document orderBy, int skip, int limit, int batchSize, Document fields) {
                        if (!(query.get("_id") instanceof String id))
                            return super.queryDocuments(query, orderBy, skip, limit, batchSize, fields);
                        List<Object> positions = documents.containsKey(id) ? List.of(id) : List.of();
                        return matchDocuments(query, positions, orderBy, skip, limit, batchSize, fields);
                    }
                };
            }
        }

        @Override
        public Document handleCommand(Channel channel, String database, String command, Document query) {
            Object one = databases.computeIfAbsent(database, name -> new Object());
            return run(command, () -> {
                synchronized (one) {
                    return super.handleCommand(channel, database, command, query);
                }
            });
        }

        @Override
        public synchronized QueryResult handleQuery(MongoQuery query) {
            return super.handleQuery(query);
        }

        private Document run(String command, Supplier<Document> work) {
            if (READS.contains(command.toLowerCase())) return work.get();
            writing.lock();
            long mine = ++written;
            try {
                return work.get();
            } finally {
                writing.unlock();
                // Commits even after an error, because a bulk command may have completed some of its writes.
                commitUpTo(mine);
            }
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

    /**
     * Finds candidates by an index's first field; the library then filters them. The library's own secondary indexes
     * find nothing. This index is in memory, and rebuilt when the database is opened.
     */
    static class FirstFieldIndex extends EmptyIndex<Object> {

        private static final Set<String> TRUE_OF_NONE_WITHOUT_IT = Set.of("$gt", "$gte", "$lt", "$lte");

        private final String field;
        private final Map<Object, Set<Object>> positions = new HashMap<>();

        FirstFieldIndex(String name, List<IndexKey> keys) {
            super(name, keys);
            field = keys.get(0).getKey();
        }

        @Override
        public void add(Document document, Object position, MongoCollection<Object> collection) {
            for (Object value : valuesOf(document))
                positions.computeIfAbsent(value, any -> new TreeSet<>(ValueComparator.asc())).add(position);
        }

        @Override
        public Object remove(Document document) {
            remove(document, document.get("_id"));
            return null;
        }

        @Override
        public void updateInPlace(Document before, Document after, Object position, MongoCollection<Object> collection) {
            remove(before, position);
            add(after, position, collection);
        }

        private void remove(Document document, Object position) {
            for (Object value : valuesOf(document))
                positions.computeIfPresent(value, (any, all) -> all.remove(position) && all.isEmpty() ? null : all);
        }

        private Collection<?> valuesOf(Document document) {
            Object value = Utils.getSubdocumentValueCollectionAware(document, field);
            if (value instanceof Collection<?> values) return values;
            return value == null || value instanceof Missing ? List.of() : List.of(value);
        }

        @Override
        public boolean canHandle(Document query) {
            return query.get(field) instanceof String || isOfThoseWithIt(query.get(field));
        }

        private static boolean isOfThoseWithIt(Object value) {
            return value instanceof Document asked && asked.entrySet().stream().anyMatch(each ->
                each.getKey().equals("$exists") ? Boolean.TRUE.equals(each.getValue())
                    : TRUE_OF_NONE_WITHOUT_IT.contains(each.getKey()) && each.getValue() instanceof String);
        }

        @Override
        public Iterable<Object> getPositions(Document query) {
            if (query.get(field) instanceof String value) return positions.getOrDefault(value, Set.of());
            Set<Object> all = new TreeSet<>(ValueComparator.asc());
            positions.values().forEach(all::addAll);
            return all;
        }

        @Override
        public long getCount() {
            return positions.size();
        }
    }

    /** Reports a newer version, because current drivers reject the library's wire version 8. */
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
