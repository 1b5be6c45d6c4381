using Raven.Blittable.Reading;
using Raven.Documents.Queries;

namespace Raven.Documents.Smuggler;

/// <summary>What an export writes, or an import takes. Immutable.</summary>
public sealed record DumpOptions
{
    private static readonly HashSet<string> NotServed = new(StringComparer.OrdinalIgnoreCase)
    {
        "None", "Unknown", "LegacyAttachments", "Conflicts", "LegacyDocumentDeletions", "LegacyAttachmentDeletions",
        "TimeSeriesDeletedRanges", "ReplicationHubCertificates",
    };

    /// <summary>The kinds of data.</summary>
    public DumpSections Sections { get; init; } = DumpSections.Default;

    /// <summary>The members of the record, without regard to case; null for all.</summary>
    public IReadOnlySet<string>? RecordMembers { get; init; }

    /// <summary>The collections of documents, revisions, counters and deletions, without regard to case; null for
    /// all.</summary>
    public IReadOnlySet<string>? Collections { get; init; }

    /// <summary>Whether documents and values that have expired are taken, too.</summary>
    public bool IncludesExpired { get; init; } = true;

    /// <summary>Whether documents that an index has written are taken, too.</summary>
    public bool IncludesArtificial { get; init; }

    /// <summary>Whether archived documents are taken, too.</summary>
    public bool IncludesArchived { get; init; } = true;

    /// <summary>Whether the fields of indexes lose their analyzers.</summary>
    public bool RemovesAnalyzers { get; init; }

    /// <summary>Whether an export goes on behind what cannot be read.</summary>
    public bool SkipsDamaged { get; init; }

    /// <summary>A JavaScript that runs on each document, or null.</summary>
    public string? TransformScript { get; init; }

    /// <summary>The steps that the script may take for one document.</summary>
    public int ScriptStepsMax { get; init; } = 10_000;

    /// <summary>The documents that an export reads in a second; 0 for as many as it can.</summary>
    public int ReadsPerSecondMax { get; init; }

    /// <summary>How an export is compressed.</summary>
    public DumpCompression Compression { get; init; }

    /// <summary>Reads the options of a client.</summary>
    /// <exception cref="RefusedException">One of them is not valid.</exception>
    public static DumpOptions Parse(BlittableObject json)
    {
        if (TextOf(json, "EncryptionKey"u8) is { Length: > 0 })
        {
            throw Refused("EncryptionKey is not served: dumps are not encrypted by this server.");
        }

        string? compression = TextOf(json, "CompressionAlgorithm"u8);
        if (!Enum.TryParse(compression ?? nameof(DumpCompression.Gzip), ignoreCase: true, out DumpCompression packed)
            || !Enum.IsDefined(packed))
        {
            throw Refused($"CompressionAlgorithm must be Gzip or Zstd, not '{compression}'.");
        }

        string? script = TextOf(json, "TransformScript"u8);
        return new DumpOptions
        {
            Sections = SectionsOf(json),
            RecordMembers = NamesOf(json, "OperateOnDatabaseRecordType"u8, isEmptyAll: false),
            Collections = NamesOf(json, "Collections"u8, isEmptyAll: true),
            IncludesExpired = IsTrue(json, "IncludeExpired"u8, otherwise: true),
            IncludesArtificial = IsTrue(json, "IncludeArtificial"u8, otherwise: false),
            IncludesArchived = IsTrue(json, "IncludeArchived"u8, otherwise: true),
            RemovesAnalyzers = IsTrue(json, "RemoveAnalyzers"u8, otherwise: false),
            SkipsDamaged = IsTrue(json, "SkipCorruptedData"u8, otherwise: false),
            TransformScript = string.IsNullOrWhiteSpace(script) ? null : script,
            ScriptStepsMax = NumberOf(json, "MaxStepsForTransformScript"u8, 10_000, 1),
            ReadsPerSecondMax = NumberOf(json, "MaxReadOpsPerSecond"u8, 0, 0),
            Compression = packed,
        };
    }

    /// <summary>Checks that the script, if there is one, can be compiled.</summary>
    /// <param name="services">The engine of scripts.</param>
    /// <exception cref="RefusedException">It cannot.</exception>
    public void CheckScript(QueryServices services)
    {
        if (TransformScript is not null)
        {
            _ = new DumpTransform(services, TransformScript, ScriptStepsMax);
        }
    }

    /// <summary>Whether a kind of data is meant.</summary>
    internal bool Has(DumpSections section) => (Sections & section) != 0;

    /// <summary>Whether a member of the record is meant.</summary>
    internal bool HasMember(string name) => RecordMembers?.Contains(name) ?? true;

    /// <summary>Whether documents of a collection are meant.</summary>
    internal bool HasCollection(ReadOnlySpan<byte> collection) =>
        Collections is null || Collections.Contains(System.Text.Encoding.UTF8.GetString(collection));

    private static DumpSections SectionsOf(BlittableObject json)
    {
        if (!json.TryGet("OperateOnTypes"u8, out BlittableValue value) || value.IsNull)
        {
            return DumpSections.Default;
        }

        if (!value.TryGetString(out string text))
        {
            throw Refused("OperateOnTypes must be a text: names with commas between them.");
        }

        DumpSections sections = DumpSections.None;
        foreach (string name in text.Split(
            ',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries))
        {
            if (name.Equals("Counters", StringComparison.OrdinalIgnoreCase))
            {
                sections |= DumpSections.CounterGroups;
            }
            else if (!char.IsAsciiDigit(name[0]) && Enum.TryParse(name, ignoreCase: true, out DumpSections one))
            {
                sections |= one;
            }
            else if (!NotServed.Contains(name))
            {
                throw Refused($"OperateOnTypes: there is no type '{name}'.");
            }
        }

        return sections;
    }

    private static HashSet<string>? NamesOf(BlittableObject json, ReadOnlySpan<byte> name, bool isEmptyAll)
    {
        if (!json.TryGet(name, out BlittableValue value) || value.IsNull)
        {
            return null;
        }

        string member = System.Text.Encoding.UTF8.GetString(name);
        HashSet<string> names = new(StringComparer.OrdinalIgnoreCase);
        if (value.TryGetString(out string text))
        {
            names.UnionWith(
                text.Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries));
            return names;
        }

        if (!value.TryGetArray(out BlittableArray list))
        {
            throw Refused($"{member} must be a list of names.");
        }

        for (int i = 0; i < list.Count; i++)
        {
            names.Add(list[i].TryGetString(out string one) ? one : throw Refused($"{member} must be a list of names."));
        }

        return names.Count == 0 && isEmptyAll ? null : names;
    }

    private static string? TextOf(BlittableObject json, ReadOnlySpan<byte> name)
    {
        if (!json.TryGet(name, out BlittableValue value) || value.IsNull)
        {
            return null;
        }

        return value.TryGetString(out string text)
            ? text
            : throw Refused($"{System.Text.Encoding.UTF8.GetString(name)} must be a text.");
    }

    private static bool IsTrue(BlittableObject json, ReadOnlySpan<byte> name, bool otherwise)
    {
        if (!json.TryGet(name, out BlittableValue value) || value.IsNull)
        {
            return otherwise;
        }

        return value.TryGetBoolean(out bool isTrue)
            ? isTrue
            : throw Refused($"{System.Text.Encoding.UTF8.GetString(name)} must be true or false.");
    }

    private static int NumberOf(BlittableObject json, ReadOnlySpan<byte> name, int otherwise, int least)
    {
        if (!json.TryGet(name, out BlittableValue value) || value.IsNull)
        {
            return otherwise;
        }

        return value.TryGetInt64(out long number) && number >= least && number <= int.MaxValue
            ? (int)number
            : throw Refused(
                $"{System.Text.Encoding.UTF8.GetString(name)} must be a whole number from {least} to {int.MaxValue}.");
    }

    private static RefusedException Refused(string message) => new(RefusalReason.Argument, message);
}
