{{- define "gateway.name" -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | replace "access-gateway-access-gateway" "access-gateway" | trunc 50 | trimSuffix "-" }}
{{- end }}

{{- define "gateway.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "gateway.labels" -}}
{{ include "gateway.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "gateway.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}
{{- end }}

{{- define "gateway.restScheme" -}}
{{- if and .Values.tls.existingSecret (has "rest" .Values.tls.ports) }}HTTPS{{ else }}HTTP{{ end }}
{{- end }}

{{- define "gateway.metricsScheme" -}}
{{- if and .Values.tls.existingSecret (has "metrics" .Values.tls.ports) }}https{{ else }}http{{ end }}
{{- end }}
