using System.Globalization;

namespace Raven.Tools.Stress.Mixed;

/// <summary>Reads back what is not a document, after a restart.</summary>
internal static class MixedCheck
{
    /// <summary>The state of each of the names.</summary>
    internal static async Task<Dictionary<string, long>> ReadAsync(DatabaseClient client, IEnumerable<string> names)
    {
        var features = new FeatureClient(client);
        var found = new Dictionary<string, long>(StringComparer.Ordinal);
        var counters = new Dictionary<string, Dictionary<string, long>>(StringComparer.Ordinal);
        foreach (string name in names)
        {
            string[] parts = StateName.Split(name);
            if (parts[0] == StateName.Counter && !counters.ContainsKey(parts[1]))
            {
                counters[parts[1]] = await features.GetCountersAsync(parts[1]);
            }

            found[name] = parts[0] switch
            {
                StateName.Attachment => await features.GetAttachmentAsync(parts[1], parts[2]),
                StateName.Counter => counters[parts[1]].GetValueOrDefault(parts[2], Ledger.Absent),
                _ => (await features.GetValueAsync(parts[1])).Number,
            };
        }

        return found;
    }

    /// <summary>Judges what all writers share, and the count of the attachments.</summary>
    internal static async Task<List<string>> JudgeAsync(
        DatabaseClient client, SharedTotals totals, IEnumerable<Ledger> ledgers)
    {
        Dictionary<string, long> found = await ReadAsync(client, totals.Names);
        List<string> problems = [.. found.Select(each => totals.Judge(each.Key, each.Value)).OfType<string>()];
        long wanted = ledgers.Sum(ledger => ledger.Acknowledged.LongCount(each =>
            each.Value != Ledger.Absent && StateName.Split(each.Key)[0] == StateName.Attachment));
        long count = await new FeatureClient(client).CountAttachmentsAsync();
        if (count != wanted)
        {
            problems.Add(string.Create(
                CultureInfo.InvariantCulture, $"the database counts {count} attachments, {wanted} are there"));
        }

        return problems;
    }
}
