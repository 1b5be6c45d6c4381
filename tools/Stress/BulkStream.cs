using System.Net;
using System.Net.Sockets;
using System.Text;
using System.Text.Json;

namespace Raven.Tools.Stress;

/// <summary>
/// One bulk insert of documents with rising numbers. What is left of a killed one must be a prefix of it; an
/// acknowledged one must be there to the last document.
/// </summary>
internal sealed class BulkStream(string prefix, int count)
{
    /// <summary>The first version of a document; a bulk insert writes each only once.</summary>
    private const long Version = 1;

    private int _sent;

    /// <summary>Documents of the stream.</summary>
    internal int Count => count;

    /// <summary>Documents that were at least handed to the socket.</summary>
    internal int Sent => Volatile.Read(ref _sent);

    /// <summary>Whether the server acknowledged the whole stream.</summary>
    internal bool IsAcknowledged { get; private set; }

    /// <summary>After the check: documents that are there.</summary>
    internal int Kept { get; private set; }

    internal string IdOf(int number) => $"{prefix}{number:D7}";

    /// <summary>Sends the stream; false if the server went away or refused.</summary>
    internal async Task<bool> RunAsync(DatabaseClient client, CancellationToken cancellation)
    {
        try
        {
            using var body = new Body(this);
            HttpStatusCode status = await client.BulkInsertAsync(body, cancellation);
            IsAcknowledged = (int)status is >= 200 and < 300;
            return IsAcknowledged;
        }
        catch (Exception gone) when (gone is HttpRequestException or IOException or SocketException
            or OperationCanceledException)
        {
            return false;
        }
    }

    /// <summary>
    /// Looks how far the stream came and that nothing is missing within, half there, or beyond what was sent.
    /// </summary>
    internal async Task<List<string>> CheckAsync(DatabaseClient client)
    {
        var problems = new List<string>();
        int kept = 0;
        bool hasEnded = false;
        for (int start = 0; start < count; start += 512)
        {
            string[] ids = [.. Enumerable.Range(start, Math.Min(512, count - start)).Select(IdOf)];
            Dictionary<string, long> found = await client.GetVersionsAsync(ids);
            foreach (string id in ids)
            {
                bool isThere = found[id] != Ledger.Absent;
                if (isThere && hasEnded)
                {
                    problems.Add($"'{id}' of a bulk insert is there, though one before it is missing");
                }

                if (isThere && found[id] != Version)
                {
                    problems.Add($"'{id}' of a bulk insert is not whole");
                }

                hasEnded |= !isThere;
                kept += isThere ? 1 : 0;
            }

            if (start > Sent)
            {
                break; // one block beyond what was sent is looked at
            }
        }

        if (IsAcknowledged && kept != count)
        {
            problems.Add($"bulk insert {prefix} was acknowledged with {count} documents and has {kept}");
        }

        Kept = kept;
        return problems;
    }

    /// <summary>The array of commands, made while it is sent.</summary>
    private sealed class Body : HttpContent
    {
        private readonly BulkStream _stream;

        internal Body(BulkStream stream)
        {
            _stream = stream;
            Headers.ContentType = new System.Net.Http.Headers.MediaTypeHeaderValue("application/json");
        }

        protected override async Task SerializeToStreamAsync(Stream stream, TransportContext? context)
        {
            var block = new StringBuilder("[");
            for (int number = 0; number < _stream.Count; number++)
            {
                string id = _stream.IdOf(number);
                block.Append(number == 0 ? "" : ",").Append("{\"Id\":").Append(JsonSerializer.Serialize(id));
                block.Append(",\"Type\":\"PUT\",\"Document\":").Append(DocumentContent.Create(id, Version)).Append('}');
                if (block.Length > 32 * 1024)
                {
                    Volatile.Write(ref _stream._sent, number + 1);
                    await stream.WriteAsync(Encoding.UTF8.GetBytes(block.ToString()));
                    block.Clear();

                    // A short rest: the rounds are about moments, not about volume.
                    await Task.Delay(number % 7);
                }
            }

            Volatile.Write(ref _stream._sent, _stream.Count);
            await stream.WriteAsync(Encoding.UTF8.GetBytes(block.Append(']').ToString()));
        }

        protected override bool TryComputeLength(out long length)
        {
            length = 0;
            return false;
        }
    }
}
