using Microsoft.Extensions.Diagnostics.HealthChecks;
using Raven.Client.Documents;
using Raven.Client.Documents.Operations;
using Raven.Client.Exceptions;

namespace Raven.DependencyInjection;

/// <summary>Whether the database of the store answers.</summary>
internal sealed class RavenHealthCheck(IDocumentStore store) : IHealthCheck
{
    public async Task<HealthCheckResult> CheckHealthAsync(
        HealthCheckContext context, CancellationToken cancellationToken = default)
    {
        try
        {
            await store.Maintenance.SendAsync(new GetStatisticsOperation(), cancellationToken).ConfigureAwait(false);
            return HealthCheckResult.Healthy();
        }
        catch (RavenException e)
        {
            return new HealthCheckResult(context.Registration.FailureStatus, e.Message, e);
        }
    }
}
