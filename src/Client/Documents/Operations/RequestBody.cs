using Raven.Client.Documents.Indexes;

namespace Raven.Client.Documents.Operations;

/// <summary>The body of a request with a few named values. Null values are not sent.</summary>
internal sealed class RequestBody
{
    public IEnumerable<string>? Collections { get; init; }

    public string? DatabaseName { get; init; }

    public IEnumerable<string>? DatabaseNames { get; init; }

    public IEnumerable<string>? DocumentIds { get; init; }

    public bool? Documents { get; init; }

    public IndexDefinition[]? Indexes { get; init; }

    public IEnumerable<string>? IndexNames { get; init; }

    /// <summary>The name of a lock mode, of indexes or of databases.</summary>
    public string? Mode { get; init; }

    public IndexPriority? Priority { get; init; }

    public DateTime? Time { get; init; }
}
