using Raven.Documents;

namespace Raven.Server.Options;

/// <summary>The keys of the options of deletions.</summary>
internal static class TombstoneOptionKeys
{
    internal static OptionKey[] All() =>
    [
        Key("CleanupIntervalInMin", "minutes", "How often deletions are removed that nobody needs any more.",
            (t, n) => t with { CleanupInterval = TimeSpan.FromMinutes(n) },
            t => (long)t.CleanupInterval.TotalMinutes, 1, 525_600),
        Key("RetentionInHours", "hours", "How long a deletion is kept for readers of the feed.",
            (t, n) => t with { Retention = TimeSpan.FromHours(n) }, t => (long)t.Retention.TotalHours, 0, 87_600),
        Key("RetentionWithConsumersInHours", "hours",
            "After which time a deletion goes that an index has not seen; the index is built anew then.",
            (t, n) => t with { RetentionWithConsumers = TimeSpan.FromHours(n) },
            t => (long)t.RetentionWithConsumers.TotalHours, 1, 87_600),
    ];

    private static OptionKey Key(
        string name, string values, string help, Func<TombstoneOptions, long, TombstoneOptions> set,
        Func<TombstoneOptions, long> get, long min, long max) => new(
        "Tombstones." + name, values, help,
        (o, v) => o with { Tombstones = set(o.Tombstones, OptionTable.Number(v, min, max)) },
        o => OptionTable.Text(get(o.Tombstones)));
}
