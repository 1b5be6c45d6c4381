using System.Text;
using Raven.Documents.Ids;

namespace Raven.Documents.Settings;

/// <summary>The policies of the time series of one collection. Immutable.</summary>
/// <param name="Name">The name of the collection, as it was written.</param>
/// <param name="IsDisabled">Whether nothing is rolled up or retired.</param>
/// <param name="Raw">The policy of the series that clients write.</param>
/// <param name="Policies">The others, the finest first: each makes its entries from those of the one before.</param>
internal sealed record TimeSeriesCollection(
    string Name, bool IsDisabled, TimeSeriesPolicy Raw, IReadOnlyList<TimeSeriesPolicy> Policies)
{
    /// <summary>Whether anything is ever to be done for it.</summary>
    internal bool IsActive => !IsDisabled && (Policies.Count != 0 || Raw.Retention is not null);

    /// <summary>The policy of a series, that from which it is made, and that which is made from it.</summary>
    /// <param name="name">The name of the series, folded.</param>
    /// <returns>Nothing for a series of a policy that is not there.</returns>
    internal (TimeSeriesPolicy? Before, TimeSeriesPolicy? Of, TimeSeriesPolicy? Next) Find(ReadOnlySpan<byte> name)
    {
        int at = name.IndexOf((byte)'@');
        if (at < 0)
        {
            return (null, Raw, Policies.Count == 0 ? null : Policies[0]);
        }

        string policy = Encoding.UTF8.GetString(name[(at + 1)..]);
        for (int i = 0; i < Policies.Count; i++)
        {
            if (DocumentId.FoldedText(Encoding.UTF8.GetBytes(Policies[i].Name)) == policy)
            {
                TimeSeriesPolicy? next = i + 1 < Policies.Count ? Policies[i + 1] : null;
                return (i == 0 ? Raw : Policies[i - 1], Policies[i], next);
            }
        }

        return (null, null, null);
    }

    /// <summary>Puts policies into their order, and checks that each can be made from the one before.</summary>
    /// <exception cref="FormatException">They cannot.</exception>
    internal TimeSeriesCollection Checked()
    {
        // Sorted by their least lengths: a month is longer than 28 days, or is refused as no multiple.
        List<TimeSeriesPolicy> sorted =
            [.. Policies.OrderBy(policy => policy.Aggregation!.Value.Months)
                .ThenBy(policy => policy.Aggregation!.Value.Milliseconds)];
        TimeSeriesPolicy before = Raw;
        HashSet<string> names = [TimeSeriesPolicy.Raw];
        foreach (TimeSeriesPolicy policy in sorted)
        {
            string place = $"Collections: '{Name}': the policy '{policy.Name}'";
            if (!names.Add(DocumentId.FoldedText(Encoding.UTF8.GetBytes(policy.Name))))
            {
                throw new FormatException($"{place} is there twice; names are the same in any case.");
            }

            SeriesPeriod frame = policy.Aggregation!.Value;
            if (before.Aggregation is { } shorter && !frame.IsMultipleOf(shorter))
            {
                throw new FormatException(
                    $"{place} must have an AggregationTime that is a multiple of that of '{before.Name}', which it is "
                    + "made from; before months it must divide a day.");
            }

            if (before.Retention is { } kept && !kept.IsAtLeast(frame))
            {
                throw new FormatException(
                    $"{place} is made from '{before.Name}', whose RetentionTime must not be shorter than the "
                    + "AggregationTime: entries would be gone before they are rolled up.");
            }

            before = policy;
        }

        return this with { Policies = sorted };
    }
}
