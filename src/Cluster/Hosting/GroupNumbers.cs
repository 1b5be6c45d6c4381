using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using Raven.Cluster.Records;
using Raven.Cluster.Replication;

namespace Raven.Cluster.Hosting;

/// <summary>
/// The numbers that a host has for tags, which its core counts with, and the record of a group in both. A tag of one
/// letter has the same number on every node, so that all agree who is first to take over. Any thread.
/// </summary>
internal sealed class GroupNumbers
{
    private const int Letters = 26;
    private const int LineageDigits = 16;

    private readonly string?[] _tags = new string?[NodeSet.NodesMax];
    private readonly Lock _lock = new();

    /// <summary>The number of a tag; -1 if it is none, or there are too many.</summary>
    internal int Of(string tag)
    {
        if (!NodeTag.IsValid(tag))
        {
            return -1;
        }

        lock (_lock)
        {
            if (tag.Length == 1)
            {
                _tags[tag[0] - 'A'] = tag;
                return tag[0] - 'A';
            }

            for (int i = Letters; i < _tags.Length; i++)
            {
                if (_tags[i] is null || _tags[i] == tag)
                {
                    _tags[i] = tag;
                    return i;
                }
            }

            return -1;
        }
    }

    /// <summary>The tag of a number that was given.</summary>
    internal string TagOf(int number)
    {
        lock (_lock)
        {
            return _tags[number] ?? throw new ArgumentOutOfRangeException(nameof(number), number, "No tag has it.");
        }
    }

    /// <summary>The record as the core has it.</summary>
    internal bool TryRead(
        DatabaseGroup record, long revision, [NotNullWhen(true)] out GroupState? group,
        [NotNullWhen(false)] out string? problem)
    {
        group = null;
        if (record.Lineage.Length != LineageDigits
            || !ulong.TryParse(record.Lineage, NumberStyles.AllowHexSpecifier, null, out ulong lineage) || lineage == 0)
        {
            problem = $"'lineage' is {record.Lineage}, and must be {LineageDigits} hexadecimal digits";
            return false;
        }

        if (!TryRead(record.InSync, out NodeSet inSync) || !TryRead(record.Members, out NodeSet members)
            || !TryRead(record.Promotables, out NodeSet promotables))
        {
            problem = $"a group has nodes of at most {NodeSet.NodesMax - Letters} tags of more than one letter";
            return false;
        }

        problem = null;
        group = new GroupState
        {
            Lineage = lineage,
            Epoch = record.Epoch,
            Primary = Of(record.Primary),
            InSync = inSync,
            Members = members,
            Promotables = promotables,
            MinInSync = record.MinInSync,
            Revision = revision,
        };
        return true;
    }

    /// <summary>What is written in place of a record: what the core says, and the rest as it was.</summary>
    internal DatabaseGroup Write(GroupState group, DatabaseGroup before)
    {
        List<string> all = Tags(group.All);
        return before with
        {
            Lineage = LineageText(group.Lineage),
            Epoch = group.Epoch,
            Primary = TagOf(group.Primary),
            InSync = Tags(group.InSync),
            Members = Tags(group.Members),
            Promotables = Tags(group.Promotables),
            Order = [.. before.Order.Where(all.Contains), .. all.Where(tag => !before.Order.Contains(tag))],
            MinInSync = group.MinInSync,
        };
    }

    /// <summary>A lineage as a record has it.</summary>
    internal static string LineageText(ulong lineage) =>
        lineage.ToString("x" + LineageDigits.ToString(CultureInfo.InvariantCulture), CultureInfo.InvariantCulture);

    private bool TryRead(IReadOnlyList<string> tags, out NodeSet set)
    {
        set = default;
        foreach (string tag in tags)
        {
            int number = Of(tag);
            if (number < 0)
            {
                return false;
            }

            set = set.With(number);
        }

        return true;
    }

    private List<string> Tags(NodeSet set)
    {
        List<string> tags = new(set.Count);
        for (ulong left = set.Bits; left != 0; left &= left - 1)
        {
            tags.Add(TagOf(new NodeSet(left).First));
        }

        tags.Sort(StringComparer.Ordinal);
        return tags;
    }
}
