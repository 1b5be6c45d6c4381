using System.Text;
using System.Text.Json;
using Raven.Documents.Settings;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Routing;

namespace Raven.Server.Handlers;

/// <summary>The routes of what a database does with its time series by itself: roll-ups, retention, names.</summary>
internal static class TimeSeriesConfigurationHandler
{
    [Route("POST", "/databases/*/admin/timeseries/config", Access.DatabaseAdmin, Place = Place.Primary,
        Audit = "timeseries.configured", Summary = "Says how time series are rolled up and how long they are kept")]
    internal static async ValueTask PostAsync(RequestContext request)
    {
        byte[] json = await JsonBody.ReadAsync(request).ConfigureAwait(false);
        request.Announce();
        await ConfigureAsync(request, () => request.Database.ConfigureAsync(SettingsStore.TimeSeries, json))
            .ConfigureAwait(false);
    }

    [Route("GET", "/databases/*/timeseries/config", Access.Read, Place = Place.Any,
        Summary = "How time series are rolled up and how long they are kept")]
    internal static ValueTask GetAsync(RequestContext request) =>
        SettingsHandler.Get(request, SettingsStore.TimeSeries);

    [Route("PUT", "/databases/*/admin/timeseries/policy", Access.DatabaseAdmin, Place = Place.Primary,
        Audit = "timeseries.policy.configured", Summary = "Adds a policy of time series, or replaces it",
        Query = "collection!")]
    internal static async ValueTask PutPolicyAsync(RequestContext request)
    {
        string collection = Encoding.UTF8.GetString(request.RequiredUtf8("collection").Span);
        byte[] json = await JsonBody.ReadAsync(request).ConfigureAwait(false);
        request.Announce(resource: collection);
        await ConfigureAsync(request, () => request.Database.ConfigureTimeSeriesPolicyAsync(collection, json))
            .ConfigureAwait(false);
    }

    [Route("DELETE", "/databases/*/admin/timeseries/policy", Access.DatabaseAdmin, Place = Place.Primary,
        Audit = "timeseries.policy.removed", Summary = "Removes a policy of time series; what it made stays",
        Query = "collection!, name!")]
    internal static ValueTask DeletePolicyAsync(RequestContext request)
    {
        string collection = Encoding.UTF8.GetString(request.RequiredUtf8("collection").Span);
        string name = Encoding.UTF8.GetString(request.RequiredUtf8("name").Span);
        request.Announce(resource: collection);
        return ConfigureAsync(request, () => request.Database.RemoveTimeSeriesPolicyAsync(collection, name));
    }

    [Route("POST", "/databases/*/timeseries/names/config", Access.DatabaseAdmin, Place = Place.Primary,
        Audit = "timeseries.names.configured", Summary = "Gives the values of a time series names")]
    internal static async ValueTask PostNamesAsync(RequestContext request)
    {
        byte[] json = await JsonBody.ReadAsync(request).ConfigureAwait(false);
        request.Announce();
        await ConfigureAsync(request, () => request.Database.ConfigureTimeSeriesNamesAsync(json))
            .ConfigureAwait(false);
    }

    private static async ValueTask ConfigureAsync(RequestContext request, Func<ValueTask> change)
    {
        try
        {
            await change().ConfigureAwait(false);
        }
        catch (FormatException e)
        {
            throw new BadRequestException(
                400, ErrorType.Argument, $"The configuration of time series is wrong: {e.Message}");
        }

        Utf8JsonWriter answer = request.Response.BeginJson();
        answer.WriteStartObject();
        answer.WriteNumber("RaftCommandIndex"u8, request.Server.NextCommandIndex());
        answer.WriteEndObject();
    }
}
