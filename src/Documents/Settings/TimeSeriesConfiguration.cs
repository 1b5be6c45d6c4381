using System.Text;
using Raven.Documents.Ids;

namespace Raven.Documents.Settings;

/// <summary>
/// What a database does with its time series by itself: roll-ups, retention, and the names of values. Immutable.
/// </summary>
internal sealed class TimeSeriesConfiguration
{
    private static readonly TimeSpan DefaultFrequency = TimeSpan.FromMinutes(10);

    private readonly Dictionary<string, TimeSeriesCollection> _collections = [];
    private readonly Dictionary<string, TimeSeriesNames> _names = [];

    /// <summary>No configuration.</summary>
    internal static TimeSeriesConfiguration None { get; } = new([], [], null);

    internal TimeSeriesConfiguration(
        IEnumerable<TimeSeriesCollection> collections, IEnumerable<TimeSeriesNames> names, TimeSpan? frequency)
    {
        Collections = [.. collections];
        Names = [.. names];
        Frequency = frequency;
        foreach (TimeSeriesCollection collection in Collections)
        {
            if (!_collections.TryAdd(Key(collection.Name), collection))
            {
                throw new FormatException(
                    $"Collections: '{collection.Name}' has two configurations; names are the same in any case.");
            }
        }

        foreach (TimeSeriesNames series in Names)
        {
            if (!_names.TryAdd(Key(series.Collection, series.Series), series))
            {
                throw new FormatException(
                    $"NamedValues: '{series.Collection}': '{series.Series}' has names twice; it is the same in any "
                    + "case.");
            }
        }
    }

    /// <summary>The collections that have policies.</summary>
    internal IReadOnlyList<TimeSeriesCollection> Collections { get; }

    /// <summary>The series whose values have names.</summary>
    internal IReadOnlyList<TimeSeriesNames> Names { get; }

    /// <summary>The time between two searches for what is due; null for that of the server.</summary>
    internal TimeSpan? Frequency { get; }

    /// <summary>The same, or the default.</summary>
    internal TimeSpan FrequencyOrDefault => Frequency ?? DefaultFrequency;

    /// <summary>Whether any collection has something to be done.</summary>
    internal bool IsActive => Collections.Any(collection => collection.IsActive);

    /// <summary>What changes if the policies change in a way that matters to series.</summary>
    internal ulong PoliciesHash
    {
        get
        {
            var text = new StringBuilder();
            foreach (TimeSeriesCollection collection in Collections.Where(each => each.IsActive))
            {
                text.Append(Key(collection.Name)).Append('\n').Append(collection.Raw).Append('\n')
                    .AppendJoin('\n', collection.Policies).Append('\n');
            }

            ulong hash = System.IO.Hashing.XxHash3.HashToUInt64(Encoding.UTF8.GetBytes(text.ToString()));
            return Math.Max(hash, 1);
        }
    }

    /// <summary>The policies of a collection, if anything is to be done for it.</summary>
    /// <param name="collection">Its name in any case, UTF-8.</param>
    internal TimeSeriesCollection? ActiveOf(ReadOnlySpan<byte> collection) =>
        _collections.GetValueOrDefault(DocumentId.FoldedText(collection)) is { IsActive: true } found ? found : null;

    /// <summary>The names of the values of a series; null if they have none.</summary>
    internal IReadOnlyList<string>? NamesOf(string collection, string series) =>
        _names.GetValueOrDefault(Key(collection, series))?.Values;

    /// <summary>The same with a policy added, or replaced.</summary>
    internal TimeSeriesConfiguration With(string collection, TimeSeriesPolicy policy)
    {
        TimeSeriesCollection old = _collections.GetValueOrDefault(Key(collection))
            ?? new TimeSeriesCollection(collection, false, new(TimeSeriesPolicy.Raw, null, null), []);
        TimeSeriesCollection changed = policy.Aggregation is null
            ? old with { Raw = policy }
            : old with { Policies = [.. old.Policies.Where(each => !IsSame(each.Name, policy.Name)), policy] };
        return new TimeSeriesConfiguration(Except(collection).Append(changed.Checked()), Names, Frequency);
    }

    /// <summary>The same without a policy.</summary>
    /// <exception cref="FormatException">There is no such policy.</exception>
    internal TimeSeriesConfiguration Without(string collection, string policy)
    {
        TimeSeriesCollection? old = _collections.GetValueOrDefault(Key(collection));
        bool isRaw = IsSame(policy, TimeSeriesPolicy.Raw);
        if (old is null || (!isRaw && !old.Policies.Any(each => IsSame(each.Name, policy))))
        {
            throw new FormatException($"The collection '{collection}' has no policy '{policy}'.");
        }

        TimeSeriesCollection changed = isRaw
            ? old with { Raw = new(TimeSeriesPolicy.Raw, null, null) }
            : old with { Policies = [.. old.Policies.Where(each => !IsSame(each.Name, policy))] };
        return new TimeSeriesConfiguration(Except(collection).Append(changed.Checked()), Names, Frequency);
    }

    /// <summary>The same with names of the values of one series.</summary>
    /// <exception cref="FormatException">It has names, which must not be replaced.</exception>
    internal TimeSeriesConfiguration With(TimeSeriesNames names, bool isUpdate)
    {
        string key = Key(names.Collection, names.Series);
        return _names.ContainsKey(key) && !isUpdate
            ? throw new FormatException(
                $"The values of '{names.Series}' in the collection '{names.Collection}' have names already; they are "
                + "replaced if Update is true.")
            : new TimeSeriesConfiguration(
                Collections, Names.Where(each => Key(each.Collection, each.Series) != key).Append(names), Frequency);
    }

    private static string Key(string name) => DocumentId.FoldedText(Encoding.UTF8.GetBytes(name));

    private static string Key(string collection, string series) => $"{Key(collection)}\u001e{Key(series)}";

    private static bool IsSame(string a, string b) => Key(a) == Key(b);

    private IEnumerable<TimeSeriesCollection> Except(string collection) =>
        Collections.Where(each => !IsSame(each.Name, collection));
}
