using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using System.Text.Json;
using Raven.Client.Exceptions;
using Raven.Client.Exceptions.Documents.Subscriptions;
using Raven.Client.Exceptions.Security;
using Raven.Client.Json;

namespace Raven.Client.Documents.Subscriptions;

/// <summary>The socket of a worker. One caller at a time.</summary>
internal sealed class SubscriptionConnection : IDisposable
{
    private const int Version = 53_000;

    private readonly TcpClient _client = new() { NoDelay = true };
    private readonly SubscriptionMessageReader _reader = new();
    private Stream _stream = Stream.Null;

    /// <inheritdoc/>
    public void Dispose()
    {
        _stream.Dispose();
        _client.Dispose();
    }

    /// <summary>Connects, and waits until the worker was let in.</summary>
    /// <param name="answer">Where to connect.</param>
    /// <param name="certificate">The certificate of the store; null if it has none.</param>
    /// <param name="database">The database.</param>
    /// <param name="options">The options of the worker.</param>
    /// <param name="cancellation">Ends the wait.</param>
    internal async Task OpenAsync(
        TcpAnswer answer, X509Certificate2? certificate, string database, SubscriptionWorkerOptions options,
        CancellationToken cancellation)
    {
        var url = new Uri(answer.Url!);
        await _client.ConnectAsync(url.Host, url.Port, cancellation).ConfigureAwait(false);
        _stream = _client.GetStream();
        if (answer.Certificate is { } expected)
        {
            await EncryptAsync(url.Host, certificate, Convert.FromBase64String(expected), cancellation)
                .ConfigureAwait(false);
        }

        await SendAsync(json => WriteHeader(json, database), cancellation).ConfigureAwait(false);
        SubscriptionMessage header = await ReadAsync(cancellation).ConfigureAwait(false);
        if (header.Status != "Ok")
        {
            throw header.Status == "AuthorizationFailed"
                ? new AuthorizationException(header.Message ?? "The server refuses the worker.")
                : new SubscriptionException(header.Message ?? $"The server answers {header.Status}.");
        }

        await SendAsync(json => WriteOptions(json, options), cancellation).ConfigureAwait(false);
        SubscriptionMessage status = await ReadAsync(cancellation).ConfigureAwait(false);
        if (status is not { Type: "ConnectionStatus", Status: "Accepted" })
        {
            throw FailureOf(in status);
        }
    }

    /// <summary>Reads the next message.</summary>
    /// <exception cref="IOException">The connection has ended, or is silent.</exception>
    internal ValueTask<SubscriptionMessage> ReadAsync(CancellationToken cancellation) =>
        _reader.ReadAsync(_stream, cancellation);

    internal Task AcknowledgeAsync(string changeVector, CancellationToken cancellation) => SendAsync(
        json =>
        {
            json.WriteString("ChangeVector"u8, changeVector);
            json.WriteString("Type"u8, "Acknowledge"u8);
        },
        cancellation);

    /// <summary>The exception of a message that ends the worker.</summary>
    internal static Exception FailureOf(in SubscriptionMessage message)
    {
        string text = message.Message ?? message.Exception ?? $"The server sent {message.Type} {message.Status}.";
        if (message.Type == "Error")
        {
            string type = message.Exception is { } exception && exception.IndexOf(':') is > 0 and int end
                ? exception[..end]
                : "";
            return ExceptionFactory.FromType(type, text);
        }

        return message.Status switch
        {
            "InUse" => new SubscriptionInUseException(text),
            "NotFound" => new SubscriptionDoesNotExistException(text),
            "Invalid" => new SubscriptionInvalidStateException(text),
            "ConcurrencyReconnect" => new SubscriptionChangeVectorUpdateConcurrencyException(text),
            "Closed" => new SubscriptionClosedException(text) { CanReconnect = CanReconnect(in message) },
            "Redirect" => new SubscriptionClosedException(text)
            {
                CanReconnect = true, ServedBy = ServedBy(in message),
            },
            _ => new SubscriptionException(text),
        };
    }

    private static bool CanReconnect(in SubscriptionMessage message) => !message.Data.IsEmpty
        && JsonFormats.Parse(message.Data) is { ValueKind: JsonValueKind.Object } data
        && data.TryGetProperty("CanReconnect"u8, out JsonElement can) && can.ValueKind == JsonValueKind.True;

    private static string? ServedBy(in SubscriptionMessage message) => !message.Data.IsEmpty
        && JsonFormats.Parse(message.Data) is { ValueKind: JsonValueKind.Object } data
        && data.TryGetProperty("RedirectedTag"u8, out JsonElement tag) ? tag.GetString() : null;

    private async Task EncryptAsync(
        string host, X509Certificate2? certificate, byte[] expected, CancellationToken cancellation)
    {
        // Which certificate it is was said over https, by the server that the store believes.
        var encrypted = new SslStream(_stream, leaveInnerStreamOpen: false);
        _stream = encrypted;
        await encrypted.AuthenticateAsClientAsync(
            new SslClientAuthenticationOptions
            {
                TargetHost = host,
                ClientCertificates = certificate is null ? null : [certificate],
                RemoteCertificateValidationCallback = (_, presented, _, _) =>
                    presented?.GetRawCertData().AsSpan().SequenceEqual(expected) == true,
            },
            cancellation).ConfigureAwait(false);
    }

    private async Task SendAsync(Action<Utf8JsonWriter> write, CancellationToken cancellation)
    {
        using var buffer = new MemoryStream();
        using (var json = new Utf8JsonWriter(buffer))
        {
            json.WriteStartObject();
            write(json);
            json.WriteEndObject();
        }

        await _stream.WriteAsync(buffer.GetBuffer().AsMemory(0, (int)buffer.Length), cancellation)
            .ConfigureAwait(false);
        await _stream.FlushAsync(cancellation).ConfigureAwait(false);
    }

    private static void WriteHeader(Utf8JsonWriter json, string database)
    {
        json.WriteString("DatabaseName"u8, database);
        json.WriteString("Operation"u8, "Subscription"u8);
        json.WriteNumber("OperationVersion"u8, Version);
        json.WriteNull("AuthorizeInfo"u8);
        json.WriteStartObject("LicensedFeatures"u8);
        json.WriteBoolean("DataCompression"u8, false);
        json.WriteEndObject();
    }

    private static void WriteOptions(Utf8JsonWriter json, SubscriptionWorkerOptions options)
    {
        json.WriteString("SubscriptionName"u8, options.SubscriptionName);
        json.WriteString("WorkerId"u8, options.WorkerId);
        json.WriteString("TimeToWaitBeforeConnectionRetry"u8, options.TimeToWaitBeforeConnectionRetry.ToString("c"));
        json.WriteBoolean("IgnoreSubscriberErrors"u8, options.IgnoreSubscriberErrors);
        json.WriteString("Strategy"u8, options.Strategy.ToString());
        json.WriteNumber("MaxDocsPerBatch"u8, options.MaxDocsPerBatch);
        json.WriteString("MaxErroneousPeriod"u8, options.MaxErroneousPeriod.ToString("c"));
        json.WriteBoolean("CloseWhenNoDocsLeft"u8, options.CloseWhenNoDocsLeft);
    }
}
