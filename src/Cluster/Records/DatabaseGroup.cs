using System.Diagnostics.CodeAnalysis;
using System.Text.Json.Nodes;

namespace Raven.Cluster.Records;

/// <summary>The nodes of a database, and who of them is what: the key <c>db/NAME/group</c>.</summary>
public sealed record DatabaseGroup
{
    /// <summary>Which history its transactions belong to: another one begins only by an unclean promotion.</summary>
    public required string Lineage { get; init; }

    /// <summary>Counts the takeovers: one primary an epoch. 0: nobody has had the group yet.</summary>
    public required long Epoch { get; init; }

    /// <summary>The one node that commits.</summary>
    public required string Primary { get; init; }

    /// <summary>The nodes, the primary among them, whose journals a commit needs.</summary>
    public required IReadOnlyList<string> InSync { get; init; }

    /// <summary>The nodes that have the database, in sync or behind.</summary>
    public required IReadOnlyList<string> Members { get; init; }

    /// <summary>The nodes that are getting a copy.</summary>
    public IReadOnlyList<string> Promotables { get; init; } = [];

    /// <summary>In which order clients are told of the nodes.</summary>
    public IReadOnlyList<string> Order { get; init; } = [];

    /// <summary>How many nodes must be in sync for a commit; 0: as many as the members ask for.</summary>
    public required int MinInSync { get; init; }

    /// <summary>The shard; 0, as databases have one.</summary>
    public int Shard { get; init; }

    /// <summary>What a newer node has written beside.</summary>
    public JsonObject? Rest { get; init; }

    /// <summary>Reads the record.</summary>
    /// <param name="json">Its JSON.</param>
    /// <param name="record">The record.</param>
    /// <param name="problem">What is wrong with it.</param>
    public static bool TryRead(
        ReadOnlySpan<byte> json, [NotNullWhen(true)] out DatabaseGroup? record,
        [NotNullWhen(false)] out string? problem)
    {
        record = null;
        if (RecordReader.TryOpen(json, out problem) is { } reader)
        {
            record = new DatabaseGroup
            {
                Lineage = reader.Text("lineage", 64),
                Epoch = reader.Number("epoch", 0),
                Primary = reader.Tag("primary"),
                InSync = reader.Tags("inSync"),
                Members = reader.Tags("members"),
                Promotables = reader.Tags("promotables"),
                Order = reader.Tags("order"),
                MinInSync = (int)reader.Number("minInSync", 0, int.MaxValue),
                Shard = (int)reader.Number("shard", 0, int.MaxValue, 0),
                Rest = reader.Rest,
            };
            problem = reader.Problem ?? record.ProblemOf();
        }

        return RecordEnd.Of(ref record, ref problem);
    }

    /// <summary>What contradicts itself in this group; null if nothing does.</summary>
    public string? ProblemOf()
    {
        if (!InSync.Contains(Primary, StringComparer.Ordinal))
        {
            return $"'inSync' must have the primary, {Primary}";
        }

        if (InSync.Except(Members).FirstOrDefault() is { } stranger)
        {
            return $"'inSync' has {stranger}, which 'members' has not";
        }

        if (Promotables.Intersect(Members).FirstOrDefault() is { } both)
        {
            return $"'promotables' has {both}, which 'members' has, too";
        }

        return Order.Except(Members).Except(Promotables).FirstOrDefault() is { } other
            ? $"'order' has {other}, which has no part in the group"
            : null;
    }

    /// <summary>The record as JSON.</summary>
    public byte[] Write() => RecordWriter.Write(
        writer =>
        {
            writer.WriteString("lineage", Lineage);
            writer.WriteNumber("epoch", Epoch);
            writer.WriteString("primary", Primary);
            RecordWriter.Tags(writer, "inSync", InSync);
            RecordWriter.Tags(writer, "members", Members);
            RecordWriter.Tags(writer, "promotables", Promotables);
            RecordWriter.Tags(writer, "order", Order);
            writer.WriteNumber("minInSync", MinInSync);
            writer.WriteNumber("shard", Shard);
        },
        Rest);
}
