using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.AspNetCore.Server.Kestrel.Core.Features;
using Raven.Documents;
using Raven.Documents.Operations;
using Raven.Documents.Smuggler;
using Raven.Security.Rights;
using Raven.Server.Http.Security;

namespace Raven.Server.Http.Smuggler;

/// <summary>An export or import as an operation of its database: its id, its progress and its end.</summary>
internal sealed class SmugglerRun
{
    /// <summary>A slow client holds a snapshot, or an upload, for long; a stopped one must not hold it for ever.
    /// </summary>
    private const double BytesPerSecondMin = 1_000;

    private static readonly TimeSpan RateGrace = TimeSpan.FromMinutes(2);

    private readonly RequestContext _request;

    private SmugglerRun(RequestContext request, RunningOperation operation)
    {
        _request = request;
        Operation = operation;
    }

    /// <summary>The operation.</summary>
    internal RunningOperation Operation { get; }

    /// <summary>What is counted.</summary>
    internal DumpResult Result { get; } = new();

    /// <summary>Says what is done of work that fails; the documents of a dump if it is null.</summary>
    internal Func<string>? Told { get; set; }

    /// <summary>Whether the caller is an administrator of the database.</summary>
    internal bool IsAdministrator => _request.Identity.May(Access.DatabaseAdmin, _request.Database.Name);

    /// <summary>Begins under the id that the client took for it, or under one of its own.</summary>
    /// <exception cref="BadRequestException">Another one has begun under the id.</exception>
    internal static SmugglerRun Begin(RequestContext request)
    {
        OperationRegistry operations = request.Server.Operations;
        string database = request.Database.Name;
        RunningOperation operation;
        if (request.Query.Has("operationId"))
        {
            long id = request.Query.GetInt64("operationId", 0);
            operation = operations.TryBegin(database, id, OperationStarter.Of(request))
                ?? throw new BadRequestException(
                    400, ErrorType.Argument, $"The operation {id} was begun or killed before.");
        }
        else
        {
            operation = operations.Begin(database, OperationStarter.Of(request));
        }

        request.Ending = _ => operation.Kill();
        var run = new SmugglerRun(request, operation);
        operation.Detail = run.Result;
        return run;
    }

    /// <summary>Does the work, and ends the operation with it.</summary>
    /// <param name="work">The work, whose token ends when the operation is killed, the client is gone or the server
    /// stops.</param>
    internal async ValueTask RunAsync(Func<CancellationToken, ValueTask> work)
    {
        try
        {
            using var stop = CancellationTokenSource.CreateLinkedTokenSource(
                Operation.Killed, _request.Server.Stopping, _request.Aborted);
            await work(stop.Token).ConfigureAwait(false);
            Operation.Processed = Math.Max(Operation.Processed, Result.Processed);
            Operation.Complete();
        }
        catch (OperationCanceledException) when (_request.Database.IsDeleted)
        {
            var deleted = new DatabaseDeletedException(_request.Database.Name);
            Operation.Fail(FailureMapping.Describe(_request.Server, deleted));
            throw deleted;
        }
        catch (OperationCanceledException) when (Operation.Killed.IsCancellationRequested)
        {
            string? reason = _request.EndReason;
            throw Failed(
                reason == null ? 400 : 403, reason == null ? ErrorType.Canceled : ErrorType.Authorization,
                reason ?? "The operation was killed.");
        }
        catch (Exception e) when (e is not (ConnectionResetException or OperationCanceledException))
        {
            FailureAnswer answer = FailureMapping.Describe(_request.Server, e);
            if (answer.StatusCode >= 500)
            {
                _request.HasWrittenPart = Result.Processed > 0;
                Operation.Fail(answer);
                throw;
            }

            throw Failed(answer.StatusCode, answer.Type, answer.Message);
        }
        catch (Exception e)
        {
            Operation.Fail(FailureMapping.Describe(_request.Server, e));
            throw;
        }
        finally
        {
            _request.Server.Operations.Ended(Operation);
        }
    }

    /// <summary>Lets the client take as long as it needs, as long as it goes on.</summary>
    internal void LiftLimits()
    {
        IHttpMaxRequestBodySizeFeature? size = _request.Features.Get<IHttpMaxRequestBodySizeFeature>();
        if (size is { IsReadOnly: false })
        {
            size.MaxRequestBodySize = null;
        }

        // A stream of HTTP/2 takes no rate of its own: Kestrel throws for all but none.
        if (_request.Features.Get<IHttp2StreamIdFeature>() == null)
        {
            if (_request.Features.Get<IHttpMinRequestBodyDataRateFeature>() is { } upload)
            {
                upload.MinDataRate = new MinDataRate(BytesPerSecondMin, RateGrace);
            }

            if (_request.Features.Get<IHttpMinResponseDataRateFeature>() is { } download)
            {
                download.MinDataRate = new MinDataRate(BytesPerSecondMin, RateGrace);
            }
        }
    }

    private BadRequestException Failed(int status, string type, string message)
    {
        string whole = $"{message} {Told?.Invoke() ?? $"{Result.Documents.Read} documents are done."}";
        Operation.Fail(new FailureAnswer(status, type, whole));
        return new BadRequestException(status, type, whole);
    }
}
