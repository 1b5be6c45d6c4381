using System.Globalization;
using System.Text;
using Raven.Blittable.Contexts;
using Raven.Blittable.Reading;
using Raven.Documents.Indexing.Compilation;
using Raven.Documents.Indexing.Definitions;
using Raven.Documents.Indexing.Reduce;
using Raven.Documents.Patching;
using Raven.Server.Options;
using Raven.Storage.Options;
using Raven.Storage.Platform;
using Raven.Storage.Transactions;

namespace Raven.Tools.Bench.Suites.Indexing;

/// <summary>Map-reduce: one changed document of a large group, with its commit, and all of them at once.</summary>
internal sealed class ReduceSuite : IBenchSuite
{
    private const int Count = 100_000;
    private const string Reduce = "map-reduce";

    public string Name => "indexing";

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        if (!context.Wants(Reduce))
        {
            yield break;
        }

        foreach ((string language, string text) in new[]
        {
            ("C#", "from r in results group r by r.Key into g select new { Key = g.Key, Total = g.Sum(x => x.Total) }"),
            ("JavaScript", "groupBy(x => x.Key).aggregate(g => ({ Key: g.key, "
                + "Total: g.values.reduce((c, v) => c + v.Total, 0) }))"),
        })
        {
            using Group group = new(context, text);
            double build = Measure.CpuSeconds(group.Fill) * 1e6 / Count;
            yield return new BenchRow
            {
                Name = $"{Reduce}, {language}: building a group of {Count:N0} (CPU, a document)",
                Unit = "us",
                WarmUpRuns = 0,
                Runs = 1,
                Ours = () => build,
            };
            yield return new BenchRow
            {
                Name = $"{Reduce}, {language}: one changed document in a group of {Count:N0} (CPU, with commit)",
                Unit = "ms",
                Target = BenchTarget.AtMost(5),
                WarmUpRuns = 10,
                Ours = () => Measure.CpuSeconds(group.ChangeOne) * 1000,
            };
        }
    }

    private sealed class Group : IDisposable
    {
        private readonly StorageEnvironment _environment;
        private readonly ReduceStage _stage;
        private readonly NoOutput _output = new();
        private int _change;

        internal Group(BenchContext context, string reduce)
        {
            string folder = Path.Combine(context.ScratchDirectory, Guid.NewGuid().ToString("N"));
            Directory.CreateDirectory(folder);
            _environment = StorageEnvironment.Open(new StorageOptions
            {
                FileSystem = new RealFileSystem(folder),
                Durability = StorageDurability.Lazy,
            });
            ServerOptions options = new();
            IndexCompiler compiler = new(
                new ScriptEnvironment(TimeProvider.System, options.ToScriptLimits()), options.ToScriptLimits(),
                options.IndexingCSharp);
            _stage = compiler.CompileReduce(new IndexDefinition { Name = "bench", Reduce = reduce })!;
        }

        internal void Fill()
        {
            for (int from = 0; from < Count; from += 1000)
            {
                Batch(from, 1000, 0);
            }
        }

        internal void ChangeOne() => Batch(++_change * 7919 % Count, 1, _change);

        public void Dispose()
        {
            _stage.Dispose();
            _environment.Dispose();
        }

        private void Batch(int from, int count, int change)
        {
            using WriteTransaction transaction = _environment.BeginWrite();
            _stage.Begin(transaction);
            for (int i = from; i < from + count; i++)
            {
                _stage.BeginDocument(Encoding.UTF8.GetBytes(i.ToString(CultureInfo.InvariantCulture)));
                _stage.Sink.BeginEntry();
                _stage.Sink.Add(_stage.Sink.Field("Key"), "large");
                _stage.Sink.Add(_stage.Sink.Field("Total"), i + (long)change);
                _stage.Sink.EndEntry();
                _stage.EndDocument(isFailed: false);
            }

            _stage.Complete(_output);
            _stage.End();
            transaction.Commit();
        }
    }

    private sealed class NoOutput : ReduceOutput
    {
        internal override OperationContext Context => throw new InvalidOperationException("Results have memory.");

        internal override void Put(ReadOnlySpan<byte> groupKey, BlittableObject result)
        {
        }

        internal override void Delete(ReadOnlySpan<byte> groupKey)
        {
        }
    }
}
