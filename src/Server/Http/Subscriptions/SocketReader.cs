using System.Buffers;
using System.IO.Pipelines;
using System.Text.Json;

namespace Raven.Server.Http.Subscriptions;

/// <summary>Reads JSON objects off a connection: glued, split, or with white space between. One at a time.</summary>
internal sealed class SocketReader(PipeReader input)
{
    /// <summary>Reads the next object.</summary>
    /// <param name="sizeBytesMax">The longest that it may be.</param>
    /// <param name="cancellation">Ends the wait.</param>
    /// <returns>Null if the connection has ended.</returns>
    /// <exception cref="SocketProtocolException">It is no object, or too long.</exception>
    internal async ValueTask<JsonDocument?> ReadAsync(int sizeBytesMax, CancellationToken cancellation)
    {
        while (true)
        {
            ReadResult read = await input.ReadAsync(cancellation).ConfigureAwait(false);
            ReadOnlySequence<byte> buffer = WithoutSpace(read.Buffer);
            JsonDocument? message = null;
            SequencePosition consumed = buffer.Start;
            try
            {
                if (!buffer.IsEmpty && TryParse(buffer, out consumed, out message))
                {
                    return message;
                }

                if (buffer.Length > sizeBytesMax)
                {
                    throw new SocketProtocolException($"A message is longer than {sizeBytesMax} bytes.");
                }

                if (read.IsCompleted || read.IsCanceled)
                {
                    return buffer.IsEmpty
                        ? null
                        : throw new SocketProtocolException("The connection has ended within a message.");
                }
            }
            finally
            {
                input.AdvanceTo(consumed, message is null ? buffer.End : consumed);
            }
        }
    }

    private static ReadOnlySequence<byte> WithoutSpace(ReadOnlySequence<byte> buffer)
    {
        var reader = new SequenceReader<byte>(buffer);
        reader.AdvancePastAny(" \t\r\n"u8);
        return buffer.Slice(reader.Position);
    }

    private static bool TryParse(
        ReadOnlySequence<byte> buffer, out SequencePosition consumed, out JsonDocument? message)
    {
        consumed = buffer.Start;
        try
        {
            var json = new Utf8JsonReader(buffer, isFinalBlock: false, default);
            if (!json.Read())
            {
                message = null;
                return false;
            }

            if (json.TokenType != JsonTokenType.StartObject)
            {
                throw new SocketProtocolException("A message must be a JSON object.");
            }

            json = new Utf8JsonReader(buffer, isFinalBlock: false, default);
            bool isWhole = JsonDocument.TryParseValue(ref json, out message);
            consumed = isWhole ? json.Position : buffer.Start;
            return isWhole;
        }
        catch (JsonException e)
        {
            throw new SocketProtocolException($"A message is no JSON: {e.Message}");
        }
    }
}
