using Amazon.Runtime;
using Raven.Documents.Backups;
using HttpClientFactory = Amazon.Runtime.HttpClientFactory;

namespace Raven.Server.Http.Backups.S3;

/// <summary>The connections to one server of S3: to addresses that were checked (S3-1), without redirects and proxies,
/// and with bounds for answers that are read as a whole.</summary>
internal sealed class S3Transport : HttpClientFactory, IDisposable
{
    private const long AnswerBytesMax = 8L << 20;

    private static readonly TimeSpan ConnectMax = TimeSpan.FromSeconds(15);
    private static readonly TimeSpan IdleMax = TimeSpan.FromSeconds(30);

    private readonly HttpClient _client;

    /// <summary>Takes whether the address of the server may be any.</summary>
    internal S3Transport(bool isAllowed)
    {
#pragma warning disable CA2000 // The client disposes its handlers.
        _client = new HttpClient(new Bounds(new SocketsHttpHandler
        {
            AllowAutoRedirect = false,
            UseProxy = false,
            UseCookies = false,
            ConnectTimeout = ConnectMax,
            PooledConnectionIdleTimeout = IdleMax,
            ConnectCallback = (context, cancellation) =>
                S3Address.ConnectAsync(context.DnsEndPoint, isAllowed, cancellation),
        }))
        {
            Timeout = Timeout.InfiniteTimeSpan,
        };
#pragma warning restore CA2000
    }

    /// <inheritdoc/>
    public override HttpClient CreateHttpClient(IClientConfig clientConfig) => _client;

    /// <inheritdoc/>
    public override bool UseSDKHttpClientCaching(IClientConfig clientConfig) => false;

    /// <inheritdoc/>
    public override bool DisposeHttpClientsAfterUse(IClientConfig clientConfig) => false;

    /// <inheritdoc/>
    public void Dispose() => _client.Dispose();

    /// <summary>Refuses redirects, and bounds answers that are no file.</summary>
    private sealed class Bounds(HttpMessageHandler inner) : DelegatingHandler(inner)
    {
        protected override async Task<HttpResponseMessage> SendAsync(
            HttpRequestMessage request, CancellationToken cancellationToken)
        {
            HttpResponseMessage answer = await base.SendAsync(request, cancellationToken).ConfigureAwait(false);
            int status = (int)answer.StatusCode;
            if (status is >= 300 and < 400 and not 304)
            {
                answer.Dispose();
                throw new BackupPlaceException(
                    $"'{request.RequestUri!.Host}' answers with a redirect ({status}), which is not followed: is it "
                    + "the right region?");
            }

            bool isFile = request.Method == HttpMethod.Get && status < 300 && !IsListing(request.RequestUri!.Query);
            if (!isFile)
            {
                Stream body = await answer.Content.ReadAsStreamAsync(cancellationToken).ConfigureAwait(false);
                var bounded = new StreamContent(new Bounded(body));
                foreach (KeyValuePair<string, IEnumerable<string>> header in answer.Content.Headers)
                {
                    bounded.Headers.TryAddWithoutValidation(header.Key, header.Value);
                }

                answer.Content = bounded;
            }

            return answer;
        }

        private static bool IsListing(string query) =>
            query.Contains("list-type", StringComparison.Ordinal)
            || query.Contains("uploads", StringComparison.Ordinal);
    }

    /// <summary>A body that ends with a failure where it gets too long.</summary>
    private sealed class Bounded(Stream inner) : Stream
    {
        private long _read;

        public override bool CanRead => true;

        public override bool CanSeek => false;

        public override bool CanWrite => false;

        public override long Length => throw new NotSupportedException();

        public override long Position
        {
            get => throw new NotSupportedException();
            set => throw new NotSupportedException();
        }

        public override int Read(byte[] buffer, int offset, int count) => Note(inner.Read(buffer, offset, count));

        public override int Read(Span<byte> buffer) => Note(inner.Read(buffer));

        public override async ValueTask<int> ReadAsync(
            Memory<byte> buffer, CancellationToken cancellationToken = default) =>
            Note(await inner.ReadAsync(buffer, cancellationToken).ConfigureAwait(false));

        public override Task<int> ReadAsync(
            byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
            ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

        public override void Flush()
        {
        }

        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

        public override void SetLength(long value) => throw new NotSupportedException();

        public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

        protected override void Dispose(bool disposing)
        {
            if (disposing)
            {
                inner.Dispose();
            }

            base.Dispose(disposing);
        }

        private int Note(int read) => (_read += read) <= AnswerBytesMax
            ? read
            : throw new BackupPlaceException($"An answer of more than {AnswerBytesMax} bytes.");
    }
}
