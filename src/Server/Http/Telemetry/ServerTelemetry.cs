using System.Diagnostics;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;
using OpenTelemetry;
using OpenTelemetry.Exporter;
using OpenTelemetry.Logs;
using OpenTelemetry.Metrics;
using OpenTelemetry.Resources;
using OpenTelemetry.Trace;
using Raven.Server.Diagnostics;
using Raven.Server.Http.Routing;
using Raven.Server.Options;

namespace Raven.Server.Http.Telemetry;

//   OTEL-1  A server that sends nothing has no such object: a request pays for one comparison with null.
//   OTEL-2  No span, metric or line has a value of a document, of a parameter or of a header. The text of a query is in
//           no span, as people write values into it.
//   OTEL-3  What is sent goes to the collector that the options name: a redirect is a failure. A collector that is
//           gone, slow or broken loses spans and nothing else.

/// <summary>Sends spans, metrics and lines of the log of one server to a collector. Any thread.</summary>
internal sealed class ServerTelemetry : IDisposable
{
    /// <summary>The name of the source of all spans.</summary>
    internal const string SourceName = "Raven.Server";

    private const string RuntimeMeters = "System.Runtime";

    private readonly TracerProvider? _traces;
    private readonly MeterProvider? _meters;
    private int _isDisposed;

    private ServerTelemetry(TelemetryOptions options, string url, long seed)
    {
        ResourceBuilder resource = ResourceBuilder.CreateEmpty().AddService(
            options.ServiceName, options.ServiceNamespace.Length == 0 ? null : options.ServiceNamespace,
            ServerVersion.Program, autoGenerateServiceInstanceId: false,
            options.ServiceInstanceId.Length == 0 ? url : options.ServiceInstanceId);
        if (options.HasTraces)
        {
            _traces = Sdk.CreateTracerProviderBuilder().SetResourceBuilder(resource).AddSource(SourceName)
                .SetSampler(new RatioSampler(options.SampleRatio, seed))
                .AddOtlpExporter(exporter => Configure(exporter, options, "v1/traces")).Build();
        }

        if (options.HasMeters)
        {
            MeterProviderBuilder meters = Sdk.CreateMeterProviderBuilder().SetResourceBuilder(resource)
                .AddMeter(ServerMetrics.MeterName);
            _meters = (options.HasRuntimeMeters ? meters.AddMeter(RuntimeMeters) : meters)
                .AddOtlpExporter((exporter, reader) =>
                {
                    Configure(exporter, options, "v1/metrics");
                    reader.PeriodicExportingMetricReaderOptions.ExportIntervalMilliseconds =
                        (int)options.MeterInterval.TotalMilliseconds;
                }).Build();
        }

        if (options.HasLogs)
        {
            Logs = LoggerFactory.Create(logging => logging.SetMinimumLevel(LogLevel.Trace).AddOpenTelemetry(logs =>
            {
                logs.SetResourceBuilder(resource);
                logs.IncludeFormattedMessage = true;

                // The parts of a line may be what a caller sent, and the line itself is made safe.
                logs.ParseStateValues = false;
                logs.AddOtlpExporter(exporter => Configure(exporter, options, "v1/logs"));
            }));
        }
    }

    /// <summary>The source of the spans of the server and of its databases.</summary>
    internal ActivitySource Activities { get; } = new(SourceName, ServerVersion.Program);

    /// <summary>Takes the lines of the log; null if none are sent.</summary>
    internal ILoggerFactory? Logs { get; }

    /// <summary>Begins to send what the options say; null if they say nothing (OTEL-1).</summary>
    /// <param name="options">The options of the server.</param>
    /// <param name="seed">A number that no client knows.</param>
    internal static ServerTelemetry? Start(ServerOptions options, long seed) => options.Telemetry.IsEnabled
        ? new ServerTelemetry(
            options.Telemetry, (options.PublicServerUrl ?? options.ServerUrl).GetLeftPart(UriPartial.Authority), seed)
        : null;

    /// <summary>Begins the span of a request, below the one that it names.</summary>
    internal Activity? Begin(RequestContext request)
    {
        if (!Activities.HasListeners())
        {
            return null;
        }

        string? parent = request.Headers.TraceParent.Count == 1 ? request.Headers.TraceParent[0] : null;
        _ = ActivityContext.TryParse(parent, request.Headers.TraceState, isRemote: true, out ActivityContext context);

        // What a connection has served before is no parent.
        Activity.Current = null;
        return Activities.StartActivity("request", ActivityKind.Server, context);
    }

    /// <summary>Ends the span of a request.</summary>
    internal static void End(Activity span, RequestContext request, string database)
    {
        if (span.IsAllDataRequested)
        {
            int status = request.Response.Status;
            string route = request.Route?.Path ?? "";
            string method = request.Verb == HttpVerb.Unknown ? "_OTHER" : HttpVerbs.Name(request.Verb);
            span.DisplayName = route.Length == 0 ? method : $"{method} {route}";
            span.SetTag("http.request.method", method);
            span.SetTag("http.route", route);
            span.SetTag("http.response.status_code", status);
            if (database.Length > 0)
            {
                span.SetTag("db.namespace", database);
            }

            if (status >= StatusCodes.Status500InternalServerError)
            {
                span.SetStatus(ActivityStatusCode.Error);
            }
        }

        span.Dispose();
    }

    /// <summary>Sends what waits; a collector that does not answer is waited for a few seconds at most.</summary>
    public void Dispose()
    {
        if (Interlocked.Exchange(ref _isDisposed, 1) == 0)
        {
            Parallel.Invoke(() => _traces?.Dispose(), () => _meters?.Dispose(), () => Logs?.Dispose());
            Activities.Dispose();
        }
    }

    private static void Configure(OtlpExporterOptions exporter, TelemetryOptions options, string path)
    {
        exporter.Protocol = options.IsGrpc ? OtlpExportProtocol.Grpc : OtlpExportProtocol.HttpProtobuf;
        exporter.HttpClientFactory = () => Connect(TimeSpan.FromMilliseconds(exporter.TimeoutMilliseconds));
        if (options.Headers.Length > 0)
        {
            exporter.Headers = options.Headers;
        }

        if (options.Endpoint is { } endpoint)
        {
            // The library completes the default alone.
            exporter.Endpoint = options.IsGrpc
                ? endpoint
                : new Uri(new Uri(endpoint.AbsoluteUri.TrimEnd('/') + "/"), path);
        }
    }

    /// <summary>Goes to the collector alone: who answers in its place must not have the headers sent on.</summary>
    private static HttpClient Connect(TimeSpan timeout)
    {
        var handler = new SocketsHttpHandler { AllowAutoRedirect = false, UseCookies = false };
        try
        {
            return new HttpClient(handler, disposeHandler: true) { Timeout = timeout };
        }
        catch
        {
            handler.Dispose();
            throw;
        }
    }
}
