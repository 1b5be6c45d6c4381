using System.Globalization;
using Raven.Tools.Stress.Mixed;

namespace Raven.Tools.Stress.Databases;

/// <summary>One database of the run: its writers, and its expected content after a restart.</summary>
internal sealed class StressDatabase
{
    private readonly SharedTotals? _totals;
    private readonly List<BulkStream> _streams = [];
    private int _streamsChecked;
    private bool _hasSharedDocuments;

    /// <summary>A database with its writers.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="random">Makes the seeds of the writers.</param>
    /// <param name="writers">Their numbers.</param>
    /// <param name="isMixed">Whether they write more than documents.</param>
    internal StressDatabase(string name, Random random, IEnumerable<int> writers, bool isMixed)
    {
        Name = name;
        _totals = isMixed ? new SharedTotals() : null;
        Writers = [.. writers.Select(number => new Writer(number, random.Next(), _totals))];
    }

    internal string Name { get; }

    internal IReadOnlyList<Writer> Writers { get; }

    /// <summary>Writes acknowledged so far in all rounds.</summary>
    internal long Acknowledged => Writers.Sum(writer => writer.Acknowledged);

    /// <summary>How many documents and other states were compared.</summary>
    internal long Checked { get; private set; }

    /// <summary>Every document that is there, with its version, once all were checked; not those of streams.</summary>
    internal IEnumerable<KeyValuePair<string, long>> Documents => Writers
        .SelectMany(writer => writer.Ledger.Acknowledged)
        .Where(each => each.Value != Ledger.Absent && StateName.IsDocument(each.Key))
        .Concat(Enumerable.Range(0, _hasSharedDocuments ? MixedRequests.SharedDocuments : 0)
            .Select(which => KeyValuePair.Create(MixedRequests.SharedDocument(which), 1L)));

    /// <summary>Makes the database and what its writers need, if it does not exist.</summary>
    internal async Task CreateAsync(DatabaseClient client)
    {
        await client.CreateAsync();
        for (int i = 0; _totals is not null && !_hasSharedDocuments && i < MixedRequests.SharedDocuments; i++)
        {
            string shared = MixedRequests.SharedDocument(i);
            await client.PutAsync(shared, DocumentContent.Create(shared, 1));
        }

        _hasSharedDocuments = _totals is not null;
    }

    /// <summary>One more bulk insert, to be run and, after the kill, checked.</summary>
    internal BulkStream AddStream(string prefix, int count)
    {
        var stream = new BulkStream(prefix, count);
        lock (_streams)
        {
            _streams.Add(stream);
        }

        return stream;
    }

    /// <summary>Checks every document of every writer, and the streams of the last round, or of all.</summary>
    /// <returns>What is wrong.</returns>
    internal async Task<List<string>> CheckAsync(DatabaseClient client, bool isFull)
    {
        List<string> problems = [];
        foreach (Writer writer in Writers)
        {
            Dictionary<string, long> found = await MixedCheck.ReadAsync(
                client, writer.Ledger.Ids.Where(name => !StateName.IsDocument(name)));
            foreach (string[] ids in writer.Ledger.Ids.Where(StateName.IsDocument).Chunk(512))
            {
                foreach ((string id, long version) in await client.GetVersionsAsync(ids))
                {
                    found[id] = version;
                }
            }

            Checked += found.Count;
            problems.AddRange(writer.Ledger.Judge(found));
        }

        foreach (BulkStream stream in _streams.Skip(isFull ? 0 : _streamsChecked))
        {
            problems.AddRange(await stream.CheckAsync(client));
            Checked += stream.Kept;
        }

        _streamsChecked = _streams.Count;
        if (_totals is not null)
        {
            problems.AddRange(
                await MixedCheck.JudgeAsync(client, _totals, Writers.Select(writer => writer.Ledger)));
            Checked += _totals.Names.Length;
        }

        long wanted = Documents.LongCount() + _streams.Sum(stream => stream.Kept);
        long count = await client.CountAsync();
        if (count != wanted)
        {
            problems.Add(string.Create(
                CultureInfo.InvariantCulture, $"the database counts {count} documents, {wanted} are there"));
        }

        return problems;
    }
}
