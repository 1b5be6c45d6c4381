using System.Globalization;
using System.Text;
using Microsoft.Extensions.Logging.Abstractions;
using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Reading;
using Raven.Documents;
using Raven.Documents.Commands;
using Raven.Documents.Indexing;
using Raven.Documents.Indexing.Compilation;
using Raven.Documents.Indexing.Definitions;
using Raven.Documents.Patching;
using Raven.Server.Options;
using Raven.Storage.Options;
using Raven.Storage.Platform;

namespace Raven.Tools.Bench.Suites.Indexing;

/// <summary>
/// What a PUT costs while nothing has been indexed, or all has: two databases of a million documents with an index each
/// that is paused, in one when it had them all, in the other before the first. The CPU time of the thread that writes.
/// </summary>
internal sealed class BacklogSuite : IBenchSuite
{
    private const string RowName = "PUT with a backlog of 1 M documents, in the process";
    private const int Documents = 1_000_000;
    private const int BatchCount = 1000;
    private const int PutsPerRun = 20_000;

    public string Name => "indexing";

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        if (!context.Wants(RowName))
        {
            yield break;
        }

        using var behind = new Paused(Path.Combine(context.ScratchDirectory, "backlog-behind"), isBehind: true);
        using var even = new Paused(Path.Combine(context.ScratchDirectory, "backlog-even"), isBehind: false);
        yield return new BenchRow
        {
            Name = $"{RowName} (CPU)",
            Unit = "us",
            PeerName = "all indexed before",
            Target = BenchTarget.RatioAtMost(1.05),
            WarmUpRuns = 2,
            Runs = Math.Max(7, context.Runs),
            Ours = behind.Put,
            Peer = even.Put,
        };
    }

    /// <summary>A database in this process whose index stands still.</summary>
    private sealed class Paused : IDisposable
    {
        private readonly OperationContext _context = new();
        private readonly BatchCommand _batch = new(hashSeed: 1);
        private readonly IndexingServices _services;
        private readonly Database _database;
        private int _next;

        internal Paused(string folder, bool isBehind)
        {
            Directory.CreateDirectory(folder);
            ServerOptions options = new();
            var scripts = new ScriptEnvironment(TimeProvider.System, options.ToScriptLimits());
            _services = new IndexingServices(
                new IndexingOptions(), new IndexCompiler(scripts, options.ToScriptLimits(), options.IndexingCSharp),
                TimeProvider.System, NullLogger.Instance);
            _database = new Database(new DatabaseOptions
            {
                Name = "bench",
                Storage = () => new StorageOptions { FileSystem = new RealFileSystem(folder) },
                NewDatabaseId = Guid.NewGuid(),
                Random = new Random(1),
                MakeIndexes = database => new DatabaseIndexes(
                    database, _services, () => new DatabaseFolders(Path.Combine(folder, "Indexes")),
                    storage => storage),
            });
            var definition = new IndexDefinition
            {
                Name = "ByName", Maps = ["from d in docs.Bench select new { d.Name }"],
            };
            DatabaseIndex index = _database.Indexes.Changes.PutAsync(definition).AsTask().GetAwaiter().GetResult();
            index.IsPaused = isBehind;
            while (_next < Documents)
            {
                PutSome(BatchCount);
            }

            if (!isBehind)
            {
                long last;
                using (DocumentSnapshot snapshot = _database.BeginRead())
                {
                    last = snapshot.LastEtag;
                }

                index.WaitAsync(last, TimeSpan.FromMinutes(5), CancellationToken.None).AsTask()
                    .GetAwaiter().GetResult();
                index.IsPaused = true;
            }
        }

        /// <summary>Writes documents, each in a transaction of its own: us of CPU each.</summary>
        internal double Put() => Measure.CpuSeconds(() =>
        {
            for (int i = 0; i < PutsPerRun; i++)
            {
                PutSome(1);
            }
        }) * 1e6 / PutsPerRun;

        public void Dispose()
        {
            _services.Dispose();
            _database.Dispose();
            _context.Dispose();
        }

        private void PutSome(int count)
        {
            _context.Reset();
            _batch.Reset(_context);
            for (int i = 0; i < count; i++)
            {
                string number = (_next++).ToString("D8", CultureInfo.InvariantCulture);
                byte[] json = Encoding.UTF8.GetBytes(
                    $"{{\"Name\":\"User {number}\",\"@metadata\":{{\"@collection\":\"Bench\"}}}}");
                if (!_context.Parser.TryParse(json, BlittableMode.ToDisk, out BlittableObject document, out var error))
                {
                    throw new InvalidDataException(error.Reason);
                }

                _batch.TryAddPut(Encoding.UTF8.GetBytes($"bench/{number}"), document, ExpectedVersion.Any);
            }

            _database.SubmitAsync(_batch).AsTask().GetAwaiter().GetResult();
        }
    }
}
