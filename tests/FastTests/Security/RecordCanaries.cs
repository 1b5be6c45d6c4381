namespace FastTests.Security;

/// <summary>A record with a secret in each place where clients send one, and what must not change beside it.</summary>
internal static class RecordCanaries
{
    /// <summary>The beginning of each secret.</summary>
    internal const string Canary = "canary-";

    /// <summary>The record; for <c>{0}</c> it has the secrets, numbered, or what stands for them.</summary>
    internal const string Record = """
        {"DatabaseName":"red",
         "Settings":{"ETL.Some.Password":"{0}","ETL.Some.Url":"https://a","Indexing.Other":"b"},
         "SqlConnectionStrings":{"sql/1":{"Name":"sql","FactoryName":"Npgsql","ConnectionString":"{0}"}},
         "ElasticSearchConnectionStrings":{"es":{"Nodes":["https://es"],
           "Authentication":{"Basic":{"Username":"u","Password":"{0}"},"ApiKey":{"ApiKeyId":"i","ApiKey":"{0}"},
             "Certificate":{"CertificatesBase64":["{0}","{0}"]}}}},
         "QueueConnectionStrings":{
           "kafka":{"BrokerType":"Kafka","KafkaConnectionSettings":{"BootstrapServers":"k:1",
             "ConnectionOptions":{"sasl.username":"u","sasl.password":"{0}"}}},
           "rabbit":{"BrokerType":"RabbitMq","RabbitMqConnectionSettings":{"ConnectionString":"{0}"}},
           "azure":{"BrokerType":"AzureQueueStorage","AzureQueueStorageConnectionSettings":{"Authentication":
             {"EntraId":{"StorageAccountName":"s","TenantId":"t","ClientId":"c","ClientSecret":"{0}"}}}}},
         "AiConnectionStrings":{"ai":{"OpenAiSettings":{"Endpoint":"https://ai","ApiKey":"{0}"}}},
         "OlapConnectionStrings":{"olap":{"S3Settings":{"BucketName":"b","AwsAccessKey":"a","AwsSecretKey":"{0}"}}},
         "PeriodicBackups":[
           {"TaskId":1,"Name":"first","FullBackupFrequency":"0 1 * * *",
            "BackupEncryptionSettings":{"EncryptionMode":"UseProvidedKey","Key":"{0}"},
            "S3Settings":{"Disabled":false,"BucketName":"b","AwsAccessKey":"a","AwsSecretKey":"{0}",
              "AwsSessionToken":"{0}","AwsRegionName":"r","RemoteFolderName":"f","CustomServerUrl":"https://s3"},
            "FtpSettings":{"Url":"ftp://f","UserName":"u","Password":"{0}","CertificateAsBase64":"{0}"}},
           {"TaskId":2,"Name":"second",
            "AzureSettings":{"StorageContainer":"c","AccountName":"n","AccountKey":"{0}","SasToken":"{0}"},
            "GoogleCloudSettings":{"BucketName":"b","GoogleCredentialsJson":"{0}"},
            "GlacierSettings":{"VaultName":"v","AwsAccessKey":"a","AwsSecretKey":"{0}"}}],
         "SinkPullReplications":[{"Name":"sink","HubName":"h","CertificateWithPrivateKey":"{0}",
           "CertificatePassword":"{0}"}],
         "Integrations":{"PostgreSql":{"Authentication":{"Users":[{"Username":"u","Password":"{0}"}]}}},
         "Studio":{"Note":"a note, which is no secret"}}
        """;

    /// <summary>How many secrets it has.</summary>
    internal static int Count { get; } = Record.Split("{0}").Length - 1;

    /// <summary>The record with secrets.</summary>
    internal static string Planted()
    {
        string[] parts = Record.Split("{0}");
        return string.Concat(parts.Select((part, i) => i == parts.Length - 1 ? part : $"{part}{Canary}{i}-s3cr3t"));
    }

    /// <summary>The record as it leaves the server.</summary>
    internal static string Masked { get; } = Record.Replace("{0}", "*****", StringComparison.Ordinal);
}
