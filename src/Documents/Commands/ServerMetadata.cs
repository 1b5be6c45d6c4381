using System.Text;

namespace Raven.Documents.Commands;

/// <summary>The names in <c>@metadata</c> that only the server writes.</summary>
internal static class ServerMetadata
{
    internal static ReadOnlySpan<byte> Id => "@id"u8;

    internal static ReadOnlySpan<byte> ChangeVector => "@change-vector"u8;

    internal static ReadOnlySpan<byte> LastModified => "@last-modified"u8;

    internal static ReadOnlySpan<byte> Flags => "@flags"u8;

    internal static ReadOnlySpan<byte> Attachments => "@attachments"u8;

    internal static ReadOnlySpan<byte> Counters => "@counters"u8;

    internal static ReadOnlySpan<byte> TimeSeries => "@timeseries"u8;

    /// <summary>Of a revision: what its time series were.</summary>
    internal static ReadOnlySpan<byte> TimeSeriesSnapshot => "@timeseries-snapshot"u8;

    /// <summary>Those that are added to a document when it is read, whoever reads it.</summary>
    internal static string[] OfDocuments { get; } =
    [
        Text(Id), Text(ChangeVector), Text(LastModified), Text(Flags), Text(Attachments), Text(Counters),
        Text(TimeSeries),
    ];

    /// <summary>True for one of these names, and for those of results of queries.</summary>
    internal static bool Owns(ReadOnlySpan<byte> name)
    {
        if (name.IsEmpty || name[0] != (byte)'@')
        {
            return false;
        }

        return name.SequenceEqual(Id)
            || name.SequenceEqual(ChangeVector)
            || name.SequenceEqual(LastModified)
            || name.SequenceEqual(Flags)
            || name.SequenceEqual(Attachments)
            || name.SequenceEqual(Counters)
            || name.SequenceEqual(TimeSeries)
            || name.SequenceEqual(TimeSeriesSnapshot)
            || name.SequenceEqual("@index-score"u8)
            || name.SequenceEqual("@projection"u8);
    }

    private static string Text(ReadOnlySpan<byte> name) => Encoding.UTF8.GetString(name);
}
