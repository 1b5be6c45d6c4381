using System.Net;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.AspNetCore.Server.Kestrel.Https;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Primitives;

namespace Raven.Tools.Bench.Suites.Http;

/// <summary>
/// What others would build on Kestrel to give the same bytes: a bare delegate without routing, minimal API, and MVC,
/// the last two with 400 routes besides. The answer and its headers are read from files once.
/// </summary>
internal sealed class PeerServer : IChildProgram
{
    internal const string ProgramName = "http-peer";
    internal const string Bare = "bare Kestrel";
    internal const string Minimal = "minimal API";
    internal const string Mvc = "MVC";

    /// <summary>Reads a body and answers; keeps nothing.</summary>
    internal const string Sink = "bare Kestrel, nothing kept";

    /// <summary>Answers when the body is in a log on the disk, one write for all that wait.</summary>
    internal const string Log = "bare Kestrel with a log";

    /// <summary>Kestrel's sockets without its HTTP.</summary>
    internal const string Transport = "Kestrel's transport alone";

    /// <summary>Bare Kestrel that asks for a client certificate and takes any; its own is the third argument.</summary>
    internal const string Secure = "bare Kestrel with TLS";

    /// <summary>Put behind a kind: everything runs on the thread that waits for sockets.</summary>
    internal const string InlineSuffix = ", inline";
    internal const int RouteCount = 400;
    private const int SliceBytes = 64 * 1024;

    public string Name => ProgramName;

    /// <summary>The body that all peers of this process answer with.</summary>
    internal static byte[] Body { get; set; } = [];

    /// <summary>The certificate of <see cref="Secure"/>, a .pfx without a password.</summary>
    private static string CertificateFile { get; set; } = "";

    /// <summary>What ours sends besides date, type and length: the same answer has the same headers.</summary>
    private static (string Name, StringValues Value)[] Headers { get; set; } = [];

    public int Run(string[] arguments)
    {
        Body = File.ReadAllBytes(arguments[1]);
        Headers = PeerAnswers.ReadHeaders(arguments[1]);
        CertificateFile = arguments.Length > 2 ? arguments[2] : "";
        WebApplication application = Create(arguments[0]);
        application.Start();
        Console.WriteLine($"Server available on: {application.Urls.First()}");
        application.WaitForShutdown();
        return 0;
    }

    /// <summary>A peer that is built and not started.</summary>
    internal static WebApplication Create(string kind)
    {
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        if (kind.EndsWith(InlineSuffix, StringComparison.Ordinal))
        {
            kind = kind[..^InlineSuffix.Length];
            builder.WebHost.UseSockets(sockets => sockets.UnsafePreferInlineScheduling = true);
        }

        if (kind == Secure)
        {
            builder.WebHost.UseKestrelHttpsConfiguration();
        }

        builder.WebHost.ConfigureKestrel(kestrel =>
        {
            kestrel.AddServerHeader = false;
            kestrel.Listen(IPAddress.Loopback, 0, listen => ConfigureTransport(listen, kind));
        });
        if (kind == Mvc)
        {
            builder.Services.AddControllers(mvc => mvc.Conventions.Add(new ManyRoutes(RouteCount)))
                .AddApplicationPart(typeof(PeerController).Assembly);
        }

        WebApplication application = builder.Build();
        Map(application, kind);
        return application;
    }

    /// <summary>The way all of them write: the cheapest there is. Without a body they do nothing at all.</summary>
    internal static Task WriteBodyAsync(HttpContext http)
    {
        if (Body.Length == 0)
        {
            return Task.CompletedTask;
        }

        http.Response.ContentType = "application/json; charset=utf-8";
        http.Response.ContentLength = Body.Length;
        foreach ((string name, StringValues value) in Headers)
        {
            http.Response.Headers[name] = value;
        }

        return Body.Length <= SliceBytes
            ? http.Response.Body.WriteAsync(Body, 0, Body.Length)
            : WriteSlicesAsync(http.Response.Body);
    }

    /// <summary>A long answer goes out in slices: written at once it would be copied whole first.</summary>
    private static async Task WriteSlicesAsync(Stream output)
    {
        for (int start = 0; start < Body.Length; start += SliceBytes)
        {
            await output.WriteAsync(Body.AsMemory(start, Math.Min(SliceBytes, Body.Length - start)));
        }
    }

    private static void ConfigureTransport(ListenOptions listen, string kind)
    {
        if (kind == Transport)
        {
            byte[] answer = PeerAnswers.Whole(Body, Headers);
            listen.Run(connection => PeerAnswers.AnswerAllAsync(connection, answer));
        }

        if (kind == Secure)
        {
            listen.UseHttps(new HttpsConnectionAdapterOptions
            {
                ServerCertificate = X509CertificateLoader.LoadPkcs12FromFile(CertificateFile, password: null),
                ClientCertificateMode = ClientCertificateMode.AllowCertificate,
                ClientCertificateValidation = (_, _, _) => true,
                SslProtocols = SslProtocols.Tls13,
            });
        }
    }

    private static void Map(WebApplication application, string kind)
    {
        bool hasRoutes = kind is Minimal or Mvc;
        if (hasRoutes)
        {
            application.UseRouting();
        }

        switch (kind)
        {
            case Bare or Transport or Secure:
                application.Run(WriteBodyAsync);
                break;
            case Sink:
                application.Run(http => PeerAnswers.TakeBodyAsync(http, null));
                break;
            case Log:
                var log = new GroupLog(Directory.CreateTempSubdirectory("raven-bench-log-").FullName);
                application.Run(http => PeerAnswers.TakeBodyAsync(http, log));
                break;
            case Minimal:
                for (int number = 0; number < RouteCount; number++)
                {
                    application.MapGet(ManyRoutes.PathOf(number), WriteBodyAsync);
                }

                application.MapGet("/build/version", WriteBodyAsync);
                application.MapGet("/databases/{database}/docs", WriteBodyAsync);
                break;
            case Mvc:
                application.MapControllers();
                break;
            default:
                throw new ArgumentException($"There is no peer '{kind}'", nameof(kind));
        }

        if (hasRoutes)
        {
            application.UseEndpoints(_ => { });
        }
    }
}
