using System.Net;
using System.Net.Http.Headers;
using System.Text;

namespace Raven.Tools.Bench.Suites.Documents;

/// <summary>
/// How long writers wait beside an attachment that comes in: durable PUTs over four connections, alone and in the first
/// seconds of an upload of 2 GB, which is given up then.
/// </summary>
internal sealed class UploadSuite : IBenchSuite
{
    private const string RowName = "PUT beside an upload of 2 GB: p99";
    private const string RateName = "PUT beside an upload of 2 GB: the upload";
    private const int Writers = 4;
    private const long UploadBytes = 2L << 30;
    private const string Docs = "docs?id=";

    public string Name => "documents";

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        if (!context.Wants(RowName) && !context.Wants(RateName))
        {
            yield break;
        }

        using BenchDatabase ours = BenchDatabase.Start(Path.Combine(context.ScratchDirectory, "upload"));
        using var owner = new StringContent("{}", Encoding.UTF8, "application/json");
        ours.Client.PutAsync(new Uri("/databases/bench/docs?id=owner", UriKind.Relative), owner)
            .GetAwaiter().GetResult().EnsureSuccessStatusCode();
        var beside = new SharedRuns(() => MeasureBeside(ours));
        yield return new BenchRow
        {
            Name = RowName,
            Unit = "ms",
            PeerName = "the same PUTs alone",
            Target = BenchTarget.RatioAtMost(2),
            WarmUpRuns = 1,
            Ours = beside.Metric(0),
            Peer = () => Write(ours),
        };
        yield return new BenchRow
        {
            Name = RateName,
            Unit = "MB/s",
            WarmUpRuns = 1,
            Ours = beside.Metric(1),
        };
    }

    private static double Write(BenchDatabase ours) =>
        ours.Run("PUT", Docs, Writers).Latency.GetPercentile(0.99) / 1e6;

    private static double[] MeasureBeside(BenchDatabase ours)
    {
        using var stop = new CancellationTokenSource();
        using var upload = new Upload(stop.Token);
        Task sending = SendAsync(ours, upload, stop.Token);
        while (upload.SentBytes == 0 && !sending.IsCompleted)
        {
            Thread.Yield();
        }

        long before = upload.SentBytes;
        double p99 = Write(ours);
        double rate = (upload.SentBytes - before) / BenchDatabase.RunTime.TotalSeconds / 1e6;
        bool wasUploading = !sending.IsCompleted;
        stop.Cancel();
        sending.GetAwaiter().GetResult();
        return wasUploading
            ? [p99, rate]
            : throw new InvalidOperationException("the upload ended before the PUTs did");
    }

    private static async Task SendAsync(BenchDatabase ours, Upload upload, CancellationToken stop)
    {
        try
        {
            using HttpResponseMessage answer = await ours.Client.PutAsync(
                new Uri("/databases/bench/attachments?id=owner&name=large", UriKind.Relative), upload, stop);
        }
        catch (Exception e) when (stop.IsCancellationRequested
            && e is OperationCanceledException or HttpRequestException)
        {
            // Given up, as it was meant to be.
        }
    }

    /// <summary>Bytes that no two blocks have in common, as many as asked for.</summary>
    private sealed class Upload : HttpContent
    {
        private readonly byte[] _block = new byte[64 * 1024];
        private readonly CancellationToken _stop;
        private long _sent;

        internal Upload(CancellationToken stop)
        {
            _stop = stop;
            new Random(1).NextBytes(_block);
            Headers.ContentType = new MediaTypeHeaderValue("application/octet-stream");
        }

        internal long SentBytes => Volatile.Read(ref _sent);

        protected override async Task SerializeToStreamAsync(Stream stream, TransportContext? context)
        {
            while (_sent < UploadBytes)
            {
                BitConverter.TryWriteBytes(_block, _sent);
                await stream.WriteAsync(_block, _stop);
                Volatile.Write(ref _sent, _sent + _block.Length);
            }
        }

        protected override bool TryComputeLength(out long length)
        {
            length = UploadBytes;
            return true;
        }
    }
}
