using System.Buffers;
using System.Text.Json;
using Raven.Documents.Settings;

namespace Raven.Documents.Subscriptions;

/// <summary>What a subscription sends. Immutable; stored as JSON.</summary>
public sealed record SubscriptionDefinition
{
    /// <summary>Its number, which it keeps under another name.</summary>
    public long Id { get; init; }

    /// <summary>Its name; the same in any case.</summary>
    public required string Name { get; init; }

    /// <summary>Its query.</summary>
    public required string Query { get; init; }

    /// <summary>Whether no worker may connect.</summary>
    public bool IsDisabled { get; init; }

    /// <summary>Whether archived documents are sent.</summary>
    public ArchivedDocuments Archived { get; init; }

    /// <summary>The node that is to serve it, as it was sent; kept for clients.</summary>
    public string? MentorNode { get; init; }

    /// <summary>Whether no other node may serve it, as it was sent; kept for clients.</summary>
    public bool PinToMentorNode { get; init; }

    /// <summary>The number of its last change, which clients of a cluster expect.</summary>
    public long CommandIndex { get; init; }

    /// <summary>The id of the request that made it: the same request again gets the same answer.</summary>
    internal string? RequestId { get; init; }

    internal byte[] ToBytes()
    {
        var buffer = new ArrayBufferWriter<byte>();
        using (var json = new Utf8JsonWriter(buffer))
        {
            json.WriteStartObject();
            json.WriteNumber("Id"u8, Id);
            json.WriteString("Name"u8, Name);
            json.WriteString("Query"u8, Query);
            json.WriteBoolean("Disabled"u8, IsDisabled);
            json.WriteString("Archived"u8, Archived.ToString());
            json.WriteString("MentorNode"u8, MentorNode);
            json.WriteBoolean("PinToMentorNode"u8, PinToMentorNode);
            json.WriteNumber("CommandIndex"u8, CommandIndex);
            json.WriteString("RequestId"u8, RequestId);
            json.WriteEndObject();
        }

        return buffer.WrittenSpan.ToArray();
    }

    internal static SubscriptionDefinition Parse(ReadOnlySpan<byte> bytes)
    {
        using JsonDocument document = StoredJson.Parse(bytes);
        JsonElement root = document.RootElement;
        return new SubscriptionDefinition
        {
            Id = root.GetProperty("Id"u8).GetInt64(),
            Name = root.GetProperty("Name"u8).GetString()!,
            Query = root.GetProperty("Query"u8).GetString()!,
            IsDisabled = root.GetProperty("Disabled"u8).GetBoolean(),
            Archived = Enum.Parse<ArchivedDocuments>(root.GetProperty("Archived"u8).GetString()!),
            MentorNode = root.GetProperty("MentorNode"u8).GetString(),
            PinToMentorNode = root.GetProperty("PinToMentorNode"u8).GetBoolean(),
            CommandIndex = root.GetProperty("CommandIndex"u8).GetInt64(),
            RequestId = root.GetProperty("RequestId"u8).GetString(),
        };
    }
}
