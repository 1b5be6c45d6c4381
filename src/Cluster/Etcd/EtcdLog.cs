using Microsoft.Extensions.Logging;
using Raven.Cluster.Store;

namespace Raven.Cluster.Etcd;

/// <summary>What the log says of a managed etcd.</summary>
internal static partial class EtcdLog
{
    [LoggerMessage(Level = LogLevel.Information, Message = "etcd {Version} runs as process {Pid}; its log is {File}.")]
    internal static partial void Started(ILogger log, EtcdVersion version, int pid, string file);

    [LoggerMessage(Level = LogLevel.Error, Message = "etcd ended with {Code} and is started again in {Pause}: {Why}")]
    internal static partial void Ended(ILogger log, int code, TimeSpan pause, string why);

    [LoggerMessage(Level = LogLevel.Warning, Message = "etcd of an earlier run, process {Pid}, is stopped.")]
    internal static partial void StoppedOld(ILogger log, int pid);

    [LoggerMessage(Level = LogLevel.Error, Message = "etcd: {Problem}")]
    internal static partial void Unwell(ILogger log, string problem);

    [LoggerMessage(Level = LogLevel.Warning, Message = "etcd was over its quota; there is room again.")]
    internal static partial void Cleared(ILogger log);

    [LoggerMessage(Level = LogLevel.Information, Message = "etcd is well again.")]
    internal static partial void Well(ILogger log);
}
