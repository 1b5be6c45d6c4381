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

    /// <summary>The document, the includes, the counters, or the time series.</summary>
    internal ReadOnlyMemory<byte> Data { get; private init; }

    /// <summary>Reads a message, if all of it is there.</summary>
    /// <param name="json">The message as far as it is there, and what may follow it.</param>
    /// <param name="message">The message, whose data is a part of the bytes.</param>
    /// <param name="length">The bytes of the message.</param>
    /// <exception cref="JsonException">It is no JSON.</exception>
    internal static bool TryRead(ReadOnlyMemory<byte> json, out SubscriptionMessage message, out int length)
    {
        string type = "";
        string? status = null;
        string? exception = null;
        string? text = null;
        ReadOnlyMemory<byte> data = default;
        var reader = new Utf8JsonReader(
            json.Span, isFinalBlock: false, new JsonReaderState(DocumentHead.ReaderOptions));
        bool isThere = reader.Read() && reader.Read();
        while (isThere && reader.TokenType == JsonTokenType.PropertyName)
        {
            Member member = MemberOf(ref reader);
            if (!reader.Read())
            {
                isThere = false;
            }
            else if (reader.TokenType != JsonTokenType.String)
            {
                int start = (int)reader.TokenStartIndex;
                isThere = reader.TrySkip();
                data = isThere && member == Member.Data ? json[start..(int)reader.BytesConsumed] : data;
            }
            else if (member == Member.Type)
            {
                type = reader.ValueTextEquals("Data"u8) ? "Data" : reader.GetString()!;
            }
            else
            {
                status = member == Member.Status ? reader.GetString() : status;
                exception = member == Member.Exception ? reader.GetString() : exception;
                text = member == Member.Message ? reader.GetString() : text;
            }

            isThere = isThere && reader.Read();
        }

        length = (int)reader.BytesConsumed;
        message = new SubscriptionMessage
        {
            Type = type, Status = status, Exception = exception, Message = text, Data = data,
        };
        return isThere;
    }

    private static Member MemberOf(ref Utf8JsonReader reader) => reader.ValueSpan.Length switch
    {
        4 when reader.ValueTextEquals("Data"u8) => Member.Data,
        4 when reader.ValueTextEquals("Type"u8) => Member.Type,
        6 when reader.ValueTextEquals("Status"u8) => Member.Status,
        7 when reader.ValueTextEquals("Message"u8) => Member.Message,
        8 when reader.ValueTextEquals("Includes"u8) => Member.Data,
        9 when reader.ValueTextEquals("Exception"u8) => Member.Exception,
        15 when reader.ValueTextEquals("CounterIncludes"u8) => Member.Data,
        18 when reader.ValueTextEquals("TimeSeriesIncludes"u8) => Member.Data,
        _ => Member.Unknown,
    };

    private enum Member
    {
        Unknown,
        Data,
        Type,
        Status,
        Exception,
        Message,
    }
}
