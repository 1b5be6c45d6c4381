using System.Collections.Concurrent;
using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace Shared.S3;

/// <summary>
/// A small server of S3 with one bucket in memory. It checks the signature of each request, and does wrong what a test
/// asks it to. Addresses have the bucket in their paths.
/// </summary>
internal sealed class S3StandIn : IAsyncDisposable
{
    internal const string Bucket = "backups";

    private readonly WebApplication _application;
    private readonly ConcurrentDictionary<string, (string Key, SortedDictionary<int, byte[]> Parts)> _uploads = new();
    private int _lastUpload;

    private S3StandIn(WebApplication application) => _application = application;

    /// <summary>Who may ask.</summary>
    internal S3Signature Signature { get; } = new();

    /// <summary>The objects by their keys.</summary>
    internal ConcurrentDictionary<string, byte[]> Objects { get; } = new(StringComparer.Ordinal);

    /// <summary>Uploads that are neither complete nor aborted.</summary>
    internal int Unfinished => _uploads.Count;

    /// <summary>Requests so far.</summary>
    internal ConcurrentQueue<S3Call> Calls { get; } = new();

    /// <summary>What is done wrong with a call.</summary>
    internal Func<S3Call, S3Fault> Fault { get; set; } = _ => S3Fault.None;

    /// <summary>How many names a page of a listing has.</summary>
    internal int PageSize { get; set; } = 1000;

    internal string Url { get; private set; } = "";

    internal static async Task<S3StandIn> StartAsync()
    {
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.ConfigureKestrel(options => options.Limits.MaxRequestBodySize = null);
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        WebApplication application = builder.Build();
        var server = new S3StandIn(application);
        application.Run(server.AnswerAsync);
        await application.StartAsync();
        server.Url = application.Services.GetRequiredService<IServer>().Features.Get<IServerAddressesFeature>()!
            .Addresses.First();
        return server;
    }

    public async ValueTask DisposeAsync()
    {
        await _application.StopAsync(new CancellationToken(canceled: true));
        await _application.DisposeAsync();
    }

    /// <summary>The settings of this server as a client sends them.</summary>
    internal string Settings(string folder, string? secret = null) => $$"""
        {"BucketName":"{{Bucket}}","RemoteFolderName":"{{folder}}","AwsAccessKey":"{{Signature.AccessKey}}",
         "AwsSecretKey":"{{secret ?? Signature.SecretKey}}","AwsRegionName":"{{Signature.Region}}",
         "CustomServerUrl":"{{Url}}","ForcePathStyle":true}
        """;

    private async Task AnswerAsync(HttpContext context)
    {
        using var stream = new MemoryStream();
        await context.Request.Body.CopyToAsync(stream, context.RequestAborted);
        byte[] body = stream.ToArray();
        string target = context.Features.Get<IHttpRequestFeature>()!.RawTarget;
        S3Call call = S3Call.Of(context.Request.Method, target);
        Calls.Enqueue(call);
        S3Fault fault = Fault(call);
        switch (fault)
        {
            case S3Fault.SlowDown:
                await ErrorAsync(context, 503, "SlowDown");
                return;
            case S3Fault.TooMany:
                await ErrorAsync(context, 429, "TooManyRequests");
                return;
            case S3Fault.Skewed:
                await ErrorAsync(context, 403, "RequestTimeTooSkewed");
                return;
            case S3Fault.Cut:
                context.Abort();
                return;
            case S3Fault.Redirect:
                context.Response.StatusCode = 307;
                context.Response.Headers.Location = "http://169.254.169.254/latest/meta-data/";
                return;
            case S3Fault.Stall:
                await StallAsync(context);
                return;
            case S3Fault.Endless:
                await EndlessAsync(context);
                return;
            case S3Fault.ErrorBody:
                await WriteAsync(
                    context, 200, "<Error><Code>InternalError</Code><Message>We failed.</Message></Error>");
                return;
        }

        if (Signature.FindFault(context.Request, target, body) is { } code)
        {
            await ErrorAsync(context, 403, code);
        }
        else if (call.Bucket != Bucket)
        {
            await ErrorAsync(context, 404, "NoSuchBucket");
        }
        else
        {
            await AnswerAsync(context, call, body, fault);
        }

        if (fault == S3Fault.CutAfter)
        {
            context.Abort();
        }
    }

    private Task AnswerAsync(HttpContext context, S3Call call, byte[] body, S3Fault fault) => call.Kind switch
    {
        S3CallKind.List => ListAsync(context, call, fault),
        S3CallKind.Uploads => UploadsAsync(context, call),
        S3CallKind.Put => PutAsync(context, call, body, fault),
        S3CallKind.Get or S3CallKind.Head => GetAsync(context, call, fault),
        S3CallKind.Begin => BeginAsync(context, call),
        S3CallKind.Part => PartAsync(context, call, body),
        S3CallKind.Complete => CompleteAsync(context, call, body, fault),
        S3CallKind.Abort => AbortAsync(context, call),
        S3CallKind.Delete => DeleteAsync(context, call),
        _ => ErrorAsync(context, 501, "NotImplemented"),
    };

    private async Task ListAsync(HttpContext context, S3Call call, S3Fault fault)
    {
        string prefix = call.Query.GetValueOrDefault("prefix") ?? "";
        string after = call.Query.GetValueOrDefault("continuation-token") ?? "";
        int max = int.Parse(
            call.Query.GetValueOrDefault("max-keys") ?? PageSize.ToString(CultureInfo.InvariantCulture),
            CultureInfo.InvariantCulture);
        string? delimiter = call.Query.GetValueOrDefault("delimiter");
        var names = new SortedSet<string>(StringComparer.Ordinal);
        foreach (string key in Objects.Keys.Where(key => key.StartsWith(prefix, StringComparison.Ordinal)))
        {
            int at = delimiter is null ? -1 : key.IndexOf(delimiter, prefix.Length, StringComparison.Ordinal);
            names.Add(at < 0 ? key : key[..(at + 1)]);
        }

        string[] page = [.. names.Where(name => string.CompareOrdinal(name, after) > 0)];
        bool isCut = page.Length > Math.Min(max, PageSize) || fault == S3Fault.TruncatedListing;
        page = page[..Math.Min(page.Length, Math.Min(max, PageSize))];
        var xml = new StringBuilder("<ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">");
        xml.Append(CultureInfo.InvariantCulture, $"<IsTruncated>{(isCut ? "true" : "false")}</IsTruncated>");
        if (isCut && fault != S3Fault.TruncatedListing)
        {
            xml.Append(
                CultureInfo.InvariantCulture, $"<NextContinuationToken>{Escape(page[^1])}</NextContinuationToken>");
        }

        foreach (string name in page)
        {
            xml.Append(
                delimiter is not null && name.EndsWith('/')
                    ? $"<CommonPrefixes><Prefix>{Escape(name)}</Prefix></CommonPrefixes>"
                    : $"<Contents><Key>{Escape(name)}</Key><Size>{Objects[name].Length}</Size></Contents>");
        }

        await WriteAsync(context, 200, xml.Append("</ListBucketResult>").ToString());
    }

    private Task UploadsAsync(HttpContext context, S3Call call)
    {
        string prefix = call.Query.GetValueOrDefault("prefix") ?? "";
        IEnumerable<string> all = _uploads
            .Where(upload => upload.Value.Key.StartsWith(prefix, StringComparison.Ordinal))
            .Select(upload =>
                $"<Upload><Key>{Escape(upload.Value.Key)}</Key><UploadId>{upload.Key}</UploadId></Upload>");
        return WriteAsync(
            context, 200, $"<ListMultipartUploadsResult>{string.Concat(all)}</ListMultipartUploadsResult>");
    }

    private Task PutAsync(HttpContext context, S3Call call, byte[] body, S3Fault fault)
    {
        Objects[call.Key] = fault == S3Fault.LosesBytes && body.Length > 0 ? body[..^1] : body;
        context.Response.Headers.ETag = TagOf(body);
        return Task.CompletedTask;
    }

    private async Task GetAsync(HttpContext context, S3Call call, S3Fault fault)
    {
        if (!Objects.TryGetValue(call.Key, out byte[]? bytes))
        {
            await ErrorAsync(context, 404, "NoSuchKey");
            return;
        }

        context.Response.Headers.ETag = TagOf(bytes);
        if (context.Request.Headers.IfMatch.ToString() is { Length: > 0 } wanted && wanted != TagOf(bytes))
        {
            await ErrorAsync(context, 412, "PreconditionFailed");
            return;
        }

        int from = 0;
        if (context.Request.Headers.Range.ToString() is { Length: > 0 } range)
        {
            from = int.Parse(range["bytes=".Length..range.IndexOf('-')], CultureInfo.InvariantCulture);
            context.Response.StatusCode = 206;
            context.Response.Headers.ContentRange = $"bytes {from}-{bytes.Length - 1}/{bytes.Length}";
        }

        context.Response.ContentLength = bytes.Length - from;
        if (call.Kind == S3CallKind.Head)
        {
            return;
        }

        byte[] sent = bytes[from..];
        if (fault == S3Fault.FlipsBit && sent.Length > 0)
        {
            sent[^1] ^= 1;
        }

        if (fault == S3Fault.CutHalf)
        {
            await context.Response.Body.WriteAsync(sent.AsMemory(0, sent.Length / 2));
            await context.Response.Body.FlushAsync();
            context.Abort();
            return;
        }

        await context.Response.Body.WriteAsync(sent);
    }

    private Task BeginAsync(HttpContext context, S3Call call)
    {
        string id = $"upload-{Interlocked.Increment(ref _lastUpload)}";
        _uploads[id] = (call.Key, []);
        return WriteAsync(
            context, 200,
            $"<InitiateMultipartUploadResult><UploadId>{id}</UploadId></InitiateMultipartUploadResult>");
    }

    private async Task PartAsync(HttpContext context, S3Call call, byte[] body)
    {
        if (!_uploads.TryGetValue(call.Query["uploadId"], out (string Key, SortedDictionary<int, byte[]> Parts) upload))
        {
            await ErrorAsync(context, 404, "NoSuchUpload");
            return;
        }

        lock (upload.Parts)
        {
            upload.Parts[int.Parse(call.Query["partNumber"], CultureInfo.InvariantCulture)] = body;
        }

        context.Response.Headers.ETag = TagOf(body);
    }

    private async Task CompleteAsync(HttpContext context, S3Call call, byte[] body, S3Fault fault)
    {
        if (!_uploads.TryRemove(call.Query["uploadId"], out (string Key, SortedDictionary<int, byte[]> Parts) upload))
        {
            await ErrorAsync(context, 404, "NoSuchUpload");
            return;
        }

        string wanted = Encoding.UTF8.GetString(body);
        byte[][] parts = [.. upload.Parts.Values];
        if (parts.Any(part => !wanted.Contains(TagOf(part).Trim('"'), StringComparison.Ordinal)))
        {
            await ErrorAsync(context, 400, "InvalidPart");
            return;
        }

        Objects[call.Key] = [.. (fault == S3Fault.LosesBytes ? parts[..^1] : parts).SelectMany(part => part)];
        await WriteAsync(
            context, 200,
            "<CompleteMultipartUploadResult><ETag>\"x\"</ETag></CompleteMultipartUploadResult>");
    }

    private Task AbortAsync(HttpContext context, S3Call call)
    {
        _uploads.TryRemove(call.Query["uploadId"], out _);
        context.Response.StatusCode = 204;
        return Task.CompletedTask;
    }

    private Task DeleteAsync(HttpContext context, S3Call call)
    {
        Objects.TryRemove(call.Key, out _);
        context.Response.StatusCode = 204;
        return Task.CompletedTask;
    }

    private static async Task StallAsync(HttpContext context)
    {
        var gone = new TaskCompletionSource();
        await using CancellationTokenRegistration waiting = context.RequestAborted.Register(gone.SetResult);
        await gone.Task;
    }

    private static async Task EndlessAsync(HttpContext context)
    {
        byte[] piece = Encoding.UTF8.GetBytes(
            string.Concat(Enumerable.Repeat("<Contents><Key>x/y</Key><Size>1</Size></Contents>", 1_000)));
        await context.Response.Body.WriteAsync("<ListBucketResult>"u8.ToArray());
        while (!context.RequestAborted.IsCancellationRequested)
        {
            await context.Response.Body.WriteAsync(piece);
        }
    }

    private static Task ErrorAsync(HttpContext context, int status, string code) => WriteAsync(
        context, status, $"<Error><Code>{code}</Code><Message>canary of the server</Message></Error>");

    private static async Task WriteAsync(HttpContext context, int status, string xml)
    {
        context.Response.StatusCode = status;
        context.Response.ContentType = "application/xml";
        if (context.Request.Method != "HEAD")
        {
            await context.Response.Body.WriteAsync(
                Encoding.UTF8.GetBytes("<?xml version=\"1.0\" encoding=\"UTF-8\"?>" + xml));
        }
    }

    private static string Escape(string text) => System.Security.SecurityElement.Escape(text)!;

#pragma warning disable CA5351 // The tag of an object of S3 is its MD5.
    private static string TagOf(byte[] bytes) => $"\"{Convert.ToHexStringLower(MD5.HashData(bytes))}\"";
#pragma warning restore CA5351
}
