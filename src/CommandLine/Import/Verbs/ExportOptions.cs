namespace Raven.CommandLine.Import.Verbs;

/// <summary>What an export writes.</summary>
internal sealed record ExportOptions
{
    /// <summary>Only documents of this collection; null for all.</summary>
    internal string? Collection { get; init; }

    /// <summary>Only documents whose ids begin so; null for all.</summary>
    internal string? StartsWith { get; init; }

    /// <summary>Whether it is known that the file holds documents and nothing else of the database.</summary>
    internal bool DocumentsOnly { get; init; }

    /// <summary>How a dump is compressed.</summary>
    internal string Compression { get; init; } = "gzip";

    /// <summary>Whether what is damaged is passed over and listed.</summary>
    internal bool SkipDamaged { get; init; }
}
