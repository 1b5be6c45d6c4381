using System.Globalization;
using System.Security.Cryptography;
using System.Text.Json;
using Raven.Client.Documents.Conventions;
using Raven.Client.Json;

namespace Raven.Client.Documents.Queries;

/// <summary>A query in the form in which it is sent.</summary>
public sealed class IndexQuery
{
    /// <summary>The text, RQL.</summary>
    public required string Query { get; init; }

    /// <summary>The values that the text names as <c>$name</c>.</summary>
    public Dictionary<string, object?> QueryParameters { get; init; } = [];

    /// <summary>How long to wait for the index; null leaves it to the server.</summary>
    public TimeSpan? WaitForNonStaleResultsTimeout { get; init; }

    /// <summary>Whether the server does not cache the answer.</summary>
    public bool DisableCaching { get; init; }

    /// <summary>The source of the fields of a projection.</summary>
    public ProjectionBehavior ProjectionBehavior { get; init; }

    /// <summary>The most results, if the text allows more; null for as many as it allows.</summary>
    internal int? PageSize { get; init; }

    /// <summary>The body of its request.</summary>
    internal ReadOnlyMemory<byte> ToJson(DocumentConventions conventions) => JsonScratch.Write(
        (Query: this, conventions), static (writer, it) => it.Query.Write(writer, it.conventions));

    internal void Write(Utf8JsonWriter writer, DocumentConventions conventions)
    {
        writer.WriteStartObject();
        writer.WriteString("Query"u8, Query);
        writer.WriteStartObject("QueryParameters"u8);
        foreach ((string name, object? value) in QueryParameters)
        {
            writer.WritePropertyName(name);
            conventions.Serializer.WriteValue(writer, value);
        }

        writer.WriteEndObject();
        if (WaitForNonStaleResultsTimeout is { } timeout)
        {
            writer.WriteBoolean("WaitForNonStaleResults"u8, true);
            writer.WriteString(
                "WaitForNonStaleResultsTimeout"u8, timeout.ToString("c", CultureInfo.InvariantCulture));
        }

        if (PageSize is { } size)
        {
            writer.WriteNumber("PageSize"u8, size);
        }

        if (ProjectionBehavior != ProjectionBehavior.Default)
        {
            writer.WriteString("ProjectionBehavior"u8, ProjectionBehavior.ToString());
        }

        if (DisableCaching)
        {
            writer.WriteBoolean("DisableCaching"u8, true);
        }

        writer.WriteEndObject();
    }

    /// <summary>A hash of a query and its values, for the url: so the answer can be cached by url.</summary>
    internal static string HashOf(ReadOnlyMemory<byte> json)
    {
        Span<byte> hash = stackalloc byte[SHA256.HashSizeInBytes];
        SHA256.HashData(json.Span, hash);
        return Convert.ToHexString(hash[..16]);
    }
}
