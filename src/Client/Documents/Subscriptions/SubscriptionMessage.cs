using System.Text.Json;
using Raven.Client.Json;

namespace Raven.Client.Documents.Subscriptions;

/// <summary>A message of the server: its type, and the parts of it that belong to the type.</summary>
internal readonly struct SubscriptionMessage
{
    internal string Type { get; private init; }

    internal string? Status { get; private init; }

    internal string? Exception { get; private init; }

    internal string? Message { get; private init; }

    /// <summary>The document, the includes, or the counters.</summary>
    internal ReadOnlyMemory<byte> Data { get; private init; }

    internal static SubscriptionMessage Read(ReadOnlyMemory<byte> json)
    {
        string type = "";
        string? status = null;
        string? exception = null;
        string? message = null;
        ReadOnlyMemory<byte> data = default;
        var reader = new Utf8JsonReader(json.Span, DocumentHead.ReaderOptions);
        reader.Read();
        while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
        {
            bool isType = reader.ValueTextEquals("Type"u8);
            bool isStatus = reader.ValueTextEquals("Status"u8);
            bool isException = reader.ValueTextEquals("Exception"u8);
            bool isMessage = reader.ValueTextEquals("Message"u8);
            bool isData = reader.ValueTextEquals("Data"u8) || reader.ValueTextEquals("Includes"u8)
                || reader.ValueTextEquals("CounterIncludes"u8);
            reader.Read();
            if (reader.TokenType == JsonTokenType.String)
            {
                type = isType ? reader.GetString()! : type;
                status = isStatus ? reader.GetString() : status;
                exception = isException ? reader.GetString() : exception;
                message = isMessage ? reader.GetString() : message;
            }
            else
            {
                int start = (int)reader.TokenStartIndex;
                reader.Skip();
                data = isData ? json[start..(int)reader.BytesConsumed] : data;
            }
        }

        return new SubscriptionMessage
        {
            Type = type,
            Status = status,
            Exception = exception,
            Message = message,
            Data = data,
        };
    }
}
