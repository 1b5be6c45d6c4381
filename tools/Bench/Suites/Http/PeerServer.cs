using System.Net;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Raven.Tools.Bench.Suites.Http;

/// <summary>
/// What others would build on Kestrel to give the same bytes: a bare delegate without routing, minimal API, and MVC,
/// the last two with 400 routes besides. The answer is read from a file once.
/// </summary>
internal sealed class PeerServer : IChildProgram
{
    internal const string ProgramName = "http-peer";
    internal const string Bare = "bare Kestrel";
    internal const string Minimal = "minimal API";
    internal const string Mvc = "MVC";
    internal const int RouteCount = 400;
    private const int SliceBytes = 64 * 1024;

    public string Name => ProgramName;

    /// <summary>The body that all peers of this process answer with.</summary>
    internal static byte[] Body { get; set; } = [];

    public int Run(string[] arguments)
    {
        Body = File.ReadAllBytes(arguments[1]);
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
        builder.WebHost.ConfigureKestrel(kestrel =>
        {
            kestrel.AddServerHeader = false;
            kestrel.Listen(IPAddress.Loopback, 0);
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

    private static void Map(WebApplication application, string kind)
    {
        if (kind != Bare)
        {
            application.UseRouting();
        }

        switch (kind)
        {
            case Bare:
                application.Run(WriteBodyAsync);
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

        if (kind != Bare)
        {
            application.UseEndpoints(_ => { });
        }
    }
}
