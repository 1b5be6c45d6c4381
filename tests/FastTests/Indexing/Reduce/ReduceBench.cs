using System.Text;
using FastTests.Indexing.Static;
using Raven.Documents.Indexing.Reduce;
using Raven.Storage.Options;
using Raven.Storage.Transactions;
using Shared.Storage;

namespace FastTests.Indexing.Reduce;

/// <summary>A map-reduce stage over an environment in memory.</summary>
internal sealed class ReduceBench : IDisposable
{
    private readonly SimulatedFileSystem _disk = new();
    private readonly Func<ReduceStage> _make;
    private StorageEnvironment _environment;

    internal ReduceBench(Func<ReduceStage> make)
    {
        _make = make;
        _environment = Open();
        Stage = make();
    }

    internal ReduceStage Stage { get; private set; }

    internal BufferedResults Results { get; } = new();

    internal static ReduceStage Compile(string reduce) =>
        MapBench.Compiler().CompileReduce(MapBench.Define() with { Reduce = reduce })!;

    /// <summary>Runs a batch, and commits it or drops it.</summary>
    internal void Batch(Action run, bool isCommitted = true, ReduceOutput? output = null)
    {
        using WriteTransaction transaction = _environment.BeginWrite();
        Stage.Begin(transaction);
        run();
        Stage.Complete(output ?? (isCommitted ? Results : new BufferedResults()));
        Stage.End();
        if (isCommitted)
        {
            transaction.Commit();
        }
    }

    /// <summary>Reads what was committed.</summary>
    internal void Read(Action<ReadTransaction> read)
    {
        using ReadTransaction transaction = _environment.BeginRead();
        read(transaction);
    }

    /// <summary>Maps a document to entries of a key and a total.</summary>
    internal void Map(string id, params (string? Key, long Total)[] entries)
    {
        Stage.BeginDocument(Encoding.UTF8.GetBytes(id));
        foreach ((string? key, long total) in entries)
        {
            Stage.Sink.BeginEntry();
            if (key is null)
            {
                Stage.Sink.AddNull(Stage.Sink.Field("Key"));
            }
            else
            {
                Stage.Sink.Add(Stage.Sink.Field("Key"), key);
            }

            Stage.Sink.Add(Stage.Sink.Field("Total"), total);
            Stage.Sink.Add(Stage.Sink.Field("N"), 1);
            Stage.Sink.EndEntry();
        }

        Stage.EndDocument(isFailed: false);
    }

    internal void Delete(string id) => Stage.DeleteDocument(Encoding.UTF8.GetBytes(id));

    /// <summary>Closes all and opens it again.</summary>
    internal void Reopen()
    {
        Stage.Dispose();
        _environment.Dispose();
        _environment = Open();
        Stage = _make();
    }

    public void Dispose()
    {
        Stage.Dispose();
        _environment.Dispose();
        _disk.Dispose();
    }

    private StorageEnvironment Open() =>
        StorageEnvironment.Open(new StorageOptions { FileSystem = _disk, Scheduler = new ManualScheduler() });
}
