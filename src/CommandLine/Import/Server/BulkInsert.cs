using System.Buffers;
using System.Net;
using System.Net.Http.Headers;
using System.Threading.Channels;

namespace Raven.CommandLine.Import.Server;

/// <summary>
/// One bulk insert: a POST whose body, an array of commands, is written while the server already reads it.
/// </summary>
internal sealed class BulkInsert : IDisposable
{
    private readonly BlockWriter _blocks = new();
    private readonly HttpRequestMessage _request;
    private readonly Task<HttpResponseMessage> _response;
    private bool _isFirst = true;

    internal BulkInsert(HttpClient client, string path)
    {
        _request = new HttpRequestMessage(HttpMethod.Post, path) { Content = new BlockContent(_blocks) };
        _response = SendAsync(client);
    }

    /// <summary>Bytes of commands written so far.</summary>
    internal long BytesWritten => _blocks.BytesWritten;

    /// <summary>Whether the server has already answered or the connection broke: writing on is pointless.</summary>
    internal bool IsBroken => _response.IsCompleted;

    /// <summary>The place for the next command, behind the comma that it needs.</summary>
    internal IBufferWriter<byte> BeginCommand()
    {
        _blocks.Write(_isFirst ? "["u8 : ","u8);
        _isFirst = false;
        return _blocks;
    }

    /// <summary>
    /// Ends the array and waits for the answer. Throws what went wrong, in the server's words if it had any.
    /// </summary>
    internal async Task CompleteAsync()
    {
        try
        {
            _blocks.Write(_isFirst ? "[]"u8 : "]"u8);
            _blocks.Flush();
        }
        catch (ChannelClosedException)
        {
            // The sender has stopped; the answer says why.
        }

        _blocks.Complete();
        using HttpResponseMessage response = await _response;
        if (response.StatusCode is not (HttpStatusCode.OK or HttpStatusCode.Created or HttpStatusCode.NoContent))
        {
            throw await ServerException.FromAsync(response);
        }
    }

    /// <summary>
    /// Any end of the request ends the writing too: if the connection was never made, no blocks are taken, and the
    /// writer would wait forever.
    /// </summary>
    private async Task<HttpResponseMessage> SendAsync(HttpClient client)
    {
        try
        {
            return await client.SendAsync(_request, HttpCompletionOption.ResponseHeadersRead);
        }
        finally
        {
            _blocks.Complete();
        }
    }

    public void Dispose()
    {
        _blocks.Complete(new OperationCanceledException());
        _request.Dispose();
    }

    /// <summary>A body of unknown length, sent in chunks as the blocks come.</summary>
    private sealed class BlockContent : HttpContent
    {
        private readonly BlockWriter _blocks;

        internal BlockContent(BlockWriter blocks)
        {
            _blocks = blocks;
            Headers.ContentType = new MediaTypeHeaderValue("application/json");
        }

        protected override Task SerializeToStreamAsync(Stream stream, TransportContext? context) =>
            SerializeToStreamAsync(stream, context, CancellationToken.None);

        protected override async Task SerializeToStreamAsync(
            Stream stream, TransportContext? context, CancellationToken cancellationToken)
        {
            try
            {
                await foreach (ArraySegment<byte> block in _blocks.Blocks.ReadAllAsync(cancellationToken))
                {
                    await stream.WriteAsync(block, cancellationToken);
                    ArrayPool<byte>.Shared.Return(block.Array!);
                }
            }
            catch (Exception failure)
            {
                _blocks.Complete(failure);
                throw;
            }
        }

        protected override bool TryComputeLength(out long length)
        {
            length = 0;
            return false;
        }
    }
}
