using System.IO.Hashing;
using OpenTelemetry.Trace;

namespace Raven.Server.Http.Telemetry;

/// <summary>
/// Takes a part of all traces. A span below another of this server goes with it. What a client says of its trace is not
/// trusted: a request that asks to be sampled is so no more often than others, as the choice depends on a number that
/// only this process knows; one that asks not to be is not.
/// </summary>
/// <param name="ratio">The part, 0 to 1.</param>
/// <param name="seed">The number.</param>
internal sealed class RatioSampler(double ratio, long seed) : Sampler
{
    /// <inheritdoc/>
    public override SamplingResult ShouldSample(in SamplingParameters samplingParameters)
    {
        System.Diagnostics.ActivityContext parent = samplingParameters.ParentContext;
        bool hasParent = parent.TraceId != default;
        bool isAsked = (parent.TraceFlags & System.Diagnostics.ActivityTraceFlags.Recorded) != 0;
        bool isTaken = hasParent && (!parent.IsRemote || !isAsked)
            ? isAsked
            : IsChosen(samplingParameters.TraceId);
        return new SamplingResult(isTaken ? SamplingDecision.RecordAndSample : SamplingDecision.Drop);
    }

    private bool IsChosen(System.Diagnostics.ActivityTraceId trace)
    {
        Span<byte> bytes = stackalloc byte[16];
        trace.CopyTo(bytes);
        return XxHash3.HashToUInt64(bytes, seed) < ratio * ulong.MaxValue || ratio >= 1;
    }
}
